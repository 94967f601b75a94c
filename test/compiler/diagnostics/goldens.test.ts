import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import { renderDiagnostic } from '../../../compiler/render/render.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/catalogue.ts';
import { cases } from './cases.ts';

/** Only so much of a config is kept in its golden. */
const shown = (text: string): string => (text.length > 2000 ? `${text.slice(0, 200)}…` : text);

describe('a golden for every diagnostic', () => {
  it.each(Object.entries(cases))('%s', async (code, { text, trust = 'operator' }) => {
    const file = trust === 'operator' ? { file: 'configs/prod.jsonc' } : {};
    const { diagnostics, plan } = compile(text, { trust, catalogue, saved, ...file });
    expect(diagnostics.map((found) => found.code)).toEqual([code]);
    expect(plan === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    const rendered = diagnostics.map((found) => renderDiagnostic(found, { text })).join('\n\n');
    await expect(`${shown(text)}\n\n${rendered}\n`).toMatchFileSnapshot(`golden/${code}.txt`);
  });

  it('is not given where its mistake is only close', () => {
    for (const [code, { trust = 'operator', without = [] }] of Object.entries(cases))
      for (const text of without)
        expect(compile(text, { trust, catalogue, saved }).diagnostics.map((found) => found.code)).not.toContain(code);
  });

  it('leaves no hole in a message', () => {
    for (const { text, hint } of Object.values(diagnosticTable)) {
      expect(text).toMatch(/[.}]$/);
      expect(hint).not.toBe('');
    }
    for (const { text, trust = 'operator' } of Object.values(cases))
      for (const { message, hint = '' } of compile(text, { trust, catalogue, saved }).diagnostics) {
        expect(message).not.toMatch(/\{\w+\}|undefined/);
        expect(hint).not.toMatch(/(?<!\$)\{\w+\}|undefined/);
      }
  });
});
