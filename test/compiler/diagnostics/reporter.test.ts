import { describe, expect, it } from 'vitest';
import { createReporter, TooManyDiagnostics } from '../../../compiler/diagnostics/reporter.ts';
import type { Severity } from '../../../schema/errors/diagnostic.ts';
import { toPointer } from '../../../schema/json/pointer.ts';

const located = {
  readSpan: (pointer: string) => ({ offset: Number(pointer.slice(1)), length: 1, line: 1, column: 1 }),
};

const place = (offset: number) => ({ pointer: toPointer([offset]), part: 'value' }) as const;

const severities = (found: readonly { readonly severity: Severity }[]): readonly Severity[] => [
  ...new Set(found.map(({ severity }) => severity)),
];

describe('a full reporter', () => {
  it('replaces a warning with an error, so that a plan is never missing without an explanation', () => {
    const reporter = createReporter(located);
    for (let at = 0; at < 250; at += 1)
      reporter.report('no-effect', place(at), {
        setting: `s${at}`,
        why: 'it is one of many',
        suggestion: 'Remove it.',
      });
    expect(reporter.failed).toBe(false);
    reporter.report('too-many-targets', place(900), { count: 20_000, limit: 10_000 });
    expect(reporter.failed).toBe(true);
    expect(reporter.diagnostics()).toHaveLength(200);
    expect(reporter.diagnostics().at(-1)).toMatchObject({ code: 'too-many-targets', span: { offset: 900 } });
  });

  it('keeps no more errors than findings, and stops at the last one on request', () => {
    const reporter = createReporter(located, { stops: true });
    reporter.report('no-effect', place(0), { setting: 's', why: 'it is the first', suggestion: 'Remove it.' });
    const reportMany = (): void => {
      for (let at = 1; at < 300; at += 1) reporter.report('too-many-targets', place(at), { count: at, limit: 0 });
    };
    expect(reportMany).toThrow(TooManyDiagnostics);
    expect(reporter.diagnostics()).toHaveLength(200);
    expect(severities(reporter.diagnostics())).toEqual(['warning', 'error']);
  });
});

it('a reporter keeps only the first place of a finding that an anchor repeats', () => {
  const reporter = createReporter({ readSpan: () => ({ offset: 7, length: 1, line: 1, column: 8 }) });
  for (const target of [0, 1, 2])
    reporter.report(
      'no-effect',
      { pointer: toPointer(['targets', target, 'weight']), part: 'key' },
      { setting: 'weight', why: 'it has none', suggestion: 'Remove it.' },
    );
  expect(reporter.diagnostics()).toMatchObject([{ pointer: '/targets/0/weight' }]);
});
