import { afterAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type MistakeClass,
  type MistakeEntry,
  mistakeEntries,
  mistakesAreThere,
  mistakesGateway,
  readFindings,
} from './mistake-entry.ts';

interface Outcome {
  readonly entry: MistakeEntry;
  readonly findings: readonly Diagnostic[];
}

const severities: Readonly<Record<MistakeClass, Diagnostic['severity'] | undefined>> = {
  'must be error': 'error',
  'should be warning': 'warning',
  'must be accepted': undefined,
};

const isFound = ({ entry, findings }: Outcome): boolean =>
  findings.some(({ severity }) => severity === severities[entry.class]);

const isAtTheLine = ({ entry, findings }: Outcome): boolean =>
  findings.some(({ severity, span }) => severity === severities[entry.class] && entry.line.includes(span.line));

/** A finding that the author of the config would call wrong: an error where none is wanted. */
const isWronglyReported = ({ entry, findings }: Outcome): boolean =>
  entry.class !== 'must be error' && findings.some(({ severity }) => severity === 'error');

const isRight = (outcome: Outcome): boolean => {
  const { entry, findings } = outcome;
  if (entry.class === 'must be accepted') return !isWronglyReported(outcome);
  return isAtTheLine(outcome) || (entry.either === true && findings.length === 0);
};

const outcomes: Outcome[] = [];

const toTable = (all: readonly Outcome[]): string => {
  const rows = Object.keys(severities).map((name) => {
    const own = all.filter(({ entry }) => entry.class === name);
    const count = (holds: (outcome: Outcome) => boolean): string => String(own.filter(holds).length);
    const misses = (outcome: Outcome): boolean => name !== 'must be accepted' && !isRight(outcome);
    return [name, String(own.length), count(isFound), count(isAtTheLine), count(misses), count(isWronglyReported)];
  });
  const table = [['class', 'configs', 'found', 'at the right line', 'missed', 'wrongly reported'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
};

describe('configs with one known mistake (skipped where there are none beside the repository)', () => {
  it.skipIf(mistakesAreThere)('are not beside the repository', ({ skip }) => {
    skip('There is no ../shared/configs.');
  });

  it.for(mistakeEntries())('$class: $name', async (entry) => {
    const outcome = {
      entry,
      findings: await readFindings(entry, temporaryFolder({ 'gateway.json': mistakesGateway() })),
    };
    outcomes.push(outcome);
    const said = outcome.findings.map(
      ({ severity, code, span, message, hint = '' }) => `${span.line}: ${severity}[${code}] ${message} ${hint}`,
    );
    expect(isRight(outcome), `Wanted at ${entry.line.join(' or ')}: ${entry.wanted}\n${said.join('\n')}`).toBe(true);
  });

  afterAll(() => {
    if (mistakesAreThere) process.stdout.write(`\n${toTable(outcomes)}\n\n`);
  });
});
