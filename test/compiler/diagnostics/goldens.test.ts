import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../compiler/compile.ts';
import { renderDiagnostic } from '../../../compiler/diagnostic-text/render.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import { type DiagnosticCode, diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { caseFile, codeCases, compileCase } from './compile-case.ts';

/** Each code with a config that has its mistake, and one that does not. */
const all = codeCases.map((each) => {
  const { cause, remedy, right } = codeExamples[each.code as DiagnosticCode];
  return { ...each, right: right.join('\n'), cause, remedy };
});

/** Shortens a large config for its golden. */
const shown = (text: string): string => (text.length > 2000 ? `${text.slice(0, 200)}…` : text);

describe('every diagnostic', () => {
  it.each(all)('$code matches its golden', async (each) => {
    const { code, text } = each;
    const { diagnostics, plan } = compileCase(each, text, caseFile(each));
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
    expect(plan === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    const rendered = diagnostics.map((one) => renderDiagnostic(one, { text })).join('\n\n');
    await expect(`${shown(text)}\n\n${rendered}\n`).toMatchFileSnapshot(`golden/${code}.txt`);
  });

  it.each(all)('$code is also found by checkConfig, which builds no plan', (each) => {
    for (const text of [each.text, each.right]) {
      const [whole, checked] = [compileCase(each, text), compileCase(each, text, undefined, checkConfig)];
      expect(checked.diagnostics).toEqual(whole.diagnostics);
      expect(checked).toMatchObject(whole.plan === undefined ? {} : { name: whole.plan.name });
      expect('name' in checked).toBe(whole.plan !== undefined);
      expect(checked).not.toHaveProperty('plan');
    }
  });

  it('is not reported for configs that are only similar', () => {
    for (const each of all)
      for (const text of each.without ?? [])
        expect(compileCase(each, text).diagnostics.map((one) => one.code)).not.toContain(each.code);
  });

  it.each(all)('$code has a right example without errors', ({ code, right, ...each }) => {
    const { diagnostics, plan } = compileCase(each, right);
    expect(diagnostics.map((one) => one.code)).not.toContain(code);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).toBeDefined();
  });

  it('is explained in full sentences', () => {
    for (const { cause, remedy } of all) {
      expect(cause).toMatch(/^[A-Z"].*\.$/);
      expect(remedy).toMatch(/^[A-Z"].*\.$/);
    }
  });

  it('has messages and hints without unfilled placeholders', () => {
    for (const { text, hint } of Object.values(diagnosticTable)) {
      expect(text).toMatch(/[.}]$/);
      expect(hint).not.toBe('');
    }
    for (const each of all)
      for (const { message, hint = '' } of compileCase(each, each.text).diagnostics) {
        expect(message).not.toMatch(/\{\w+\}|undefined/);
        expect(hint).not.toMatch(/(?<!\$)\{\w+\}|undefined/);
      }
  });
});
