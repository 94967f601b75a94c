import { describe, expect, it } from 'vitest';
import { checkConfig, compile } from '../../../compiler/compile.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import { type DiagnosticCode, diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { renderDiagnostic } from '../../../compiler/render/render.ts';
import type { CompileResult } from '../../../schema/plan/plan.ts';
import { testCatalogue, testSaved } from '../../support/catalogue.ts';
import { type Case, cases } from './cases.ts';

/** Each code with the config that has its mistake, and one that has not. */
const all = Object.entries(codeExamples).map(([code, { cause, remedy, wrong, right }]) => {
  const own: Case = cases[code as DiagnosticCode] ?? {};
  return { code, ...own, text: own.text ?? wrong.join('\n'), right: right.join('\n'), cause, remedy };
});

/** Only so much of a config is kept in its golden. */
const shown = (text: string): string => (text.length > 2000 ? `${text.slice(0, 200)}…` : text);

const found = (
  {
    trust = 'operator',
    catalogue = testCatalogue,
    prompts,
    models,
    virtualModels,
    labels,
    makesVectors,
    providers = {},
    portable,
  }: Case,
  text: string,
  file?: string,
  run: typeof compile | typeof checkConfig = compile,
) =>
  run(text, {
    trust,
    catalogue,
    saved: {
      ...testSaved,
      providers: { ...testSaved.providers, ...providers },
      ...(prompts === undefined ? {} : { prompts }),
      ...(virtualModels === undefined ? {} : { models: virtualModels }),
      ...(labels === undefined ? {} : { labels }),
    },
    ...(file === undefined ? {} : { file }),
    ...(models === undefined ? {} : { models }),
    makesVectors,
    portable,
  });

const compiled = (of: Case, text: string, file?: string): CompileResult => found(of, text, file);

describe('a golden for every diagnostic', () => {
  it.each(all)('$code', async (each) => {
    const { code, text, trust = 'operator' } = each;
    const file = trust === 'operator' ? 'configs/prod.jsonc' : undefined;
    const { diagnostics, plan } = compiled(each, text, file);
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
    expect(plan === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    const rendered = diagnostics.map((one) => renderDiagnostic(one, { text })).join('\n\n');
    await expect(`${shown(text)}\n\n${rendered}\n`).toMatchFileSnapshot(`golden/${code}.txt`);
  });

  it.each(all)('$code is found without a plan too', (each) => {
    for (const text of [each.text, each.right]) {
      const [whole, checked] = [compiled(each, text), found(each, text, undefined, checkConfig)];
      expect(checked.diagnostics).toEqual(whole.diagnostics);
      expect(checked).toMatchObject(whole.plan === undefined ? {} : { name: whole.plan.name });
      expect('name' in checked).toBe(whole.plan !== undefined);
      expect(checked).not.toHaveProperty('plan');
    }
  });

  it('is not given where its mistake is only close', () => {
    for (const each of all)
      for (const text of each.without ?? [])
        expect(found(each, text).diagnostics.map((one) => one.code)).not.toContain(each.code);
  });

  it.each(all)('$code has a right example, which has no error', ({ code, right, ...each }) => {
    const { diagnostics, plan } = compiled(each, right);
    expect(diagnostics.map((one) => one.code)).not.toContain(code);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).toBeDefined();
  });

  it('is explained in whole sentences', () => {
    for (const { cause, remedy } of all) {
      expect(cause).toMatch(/^[A-Z"].*\.$/);
      expect(remedy).toMatch(/^[A-Z"].*\.$/);
    }
  });

  it('leaves no hole in a message', () => {
    for (const { text, hint } of Object.values(diagnosticTable)) {
      expect(text).toMatch(/[.}]$/);
      expect(hint).not.toBe('');
    }
    for (const each of all)
      for (const { message, hint = '' } of found(each, each.text).diagnostics) {
        expect(message).not.toMatch(/\{\w+\}|undefined/);
        expect(hint).not.toMatch(/(?<!\$)\{\w+\}|undefined/);
      }
  });
});
