import { describe, expect, it } from 'vitest';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import { diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { errorTable } from '../../../schema/errors/errors.ts';
import { errorExplanations } from '../../../schema/errors/explanations/explanations.ts';
import { findingExplanations } from '../../../schema/errors/explanations/finding-explanations.ts';
import { headingsBelow, pages } from './support.ts';

describe('the reference of diagnostics', () => {
  it.each(Object.keys(diagnosticTable))('has a page for %s with its message', (code) => {
    const page = pages.get(`diagnostics/${code}.md`) ?? '';
    const { severity } = diagnosticTable[code as keyof typeof diagnosticTable];
    expect(page.startsWith(`# \`${code}\`\n`)).toBe(true);
    expect(page).toContain(`\n${severity}[${code}]: `);
    expect(page).toContain(codeExamples[code as keyof typeof codeExamples].cause.slice(0, 20));
    expect(pages.get('diagnostics/README.md')).toContain(`[\`${code}\`](${code}.md)`);
  });
});

describe('the reference of findings about the gateway file, plugins and files', () => {
  it.each(Object.entries(findingExplanations))(
    'has a page for %s with its cause and remedy',
    (code, { severity, text, cause, example }) => {
      const page = pages.get(`diagnostics/${code}.md`) ?? '';
      expect(page.startsWith(`# \`${code}\`\n`)).toBe(true);
      for (const part of [
        `**${severity}.**`,
        text.split(/["…<]/, 1)[0] ?? '',
        cause.slice(0, 12),
        ...(example?.wrong ?? []),
      ])
        expect(page).toContain(part);
      expect(pages.get('diagnostics/README.md')).toContain(`[\`${code}\`](${code}.md)`);
    },
  );
});

describe('the reference of errors', () => {
  it('has one entry for each error, with its cause and remedy', () => {
    const found = headingsBelow('errors/').filter((heading) => Object.hasOwn(errorTable, heading));
    expect([...found].sort()).toEqual(Object.keys(errorTable).sort());
    expect(Object.keys(errorExplanations).sort()).toEqual(Object.keys(errorTable).sort());
  });

  it('is linked from its index', () => {
    for (const code of Object.keys(errorTable))
      expect(pages.get('errors/README.md')).toMatch(new RegExp(`\\[\`${code}\`\\]\\(\\w+\\.md#${code}\\)`));
  });
});
