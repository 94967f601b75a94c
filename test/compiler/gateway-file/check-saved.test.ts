import { expect, it } from 'vitest';
import { checkSaved } from '../../../compiler/gateway-file/check-saved.ts';
import { testCatalogue, testSaved } from '../../support/catalogue.ts';

it('finds nothing wrong with what is right', () => {
  expect(checkSaved(testSaved, testCatalogue)).toEqual([]);
});

it('places what no config could use', () => {
  const saved = {
    providers: { a: { provider: 'nobody' }, b: { provider: 'ollama', settings: { custom_host: 'nowhere' } } },
    virtualKeys: { c: { provider: 'openai' } },
    guardrails: { d: { 'default.contains': { wrods: ['x'], operator: 'none' } }, e: { 'default.nothing': {} } },
  };
  expect(checkSaved(saved, testCatalogue).map(({ code, pointer }) => `${pointer} ${code}`)).toEqual([
    '/providers/a/provider unknown-provider',
    '/providers/b/provider invalid-custom-host',
    '/virtual_keys/c/provider missing-credentials',
    '/guardrails/d/default.contains/wrods unknown-key',
    '/guardrails/e/default.nothing unknown-check',
  ]);
});
