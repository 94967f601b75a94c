import { describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { compile } from '../../../compiler/compile.ts';
import { emitPlanJson } from '../../../compiler/emit/emit-plan-json.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';

const asConfig = (text: string) => compile(text, { trust: 'operator', catalogue, saved });
const found = (diagnostics: readonly { readonly code: string; readonly message: string }[]) =>
  diagnostics.map(({ code, message }) => `${code}: ${message}`);

describe('a file of another kind', () => {
  it('causes one finding if it is given as a config', () => {
    const { plan } = asConfig('{ "provider": "@openai-prod" }');
    expect(plan && found(asConfig(emitPlanJson(plan)).diagnostics)).toEqual([
      'wrong-file: This is a compiled plan, not a routing config.',
    ]);
    expect(found(asConfig('{ "$schema": "x", "configs": 5, "plugin": [] }').diagnostics)).toEqual([
      'wrong-file: This is a gateway file, not a routing config.',
    ]);
  });

  it('is recognised as a gateway file even if each of its members is misspelt', () => {
    const foundIn = (text: string, file: string) =>
      found(compile(text, { trust: 'operator', catalogue, saved, file }).diagnostics);
    const gatewayFile = ['wrong-file: This is a gateway file, not a routing config.'];
    expect(foundIn('{ "confgs": "configs", "default_confg": "a", "provders": {} }', 'local.json')).toEqual(gatewayFile);
    expect(foundIn('metdata: {}\nvirtual_kyes: {}\n', 'local.yaml')).toEqual(gatewayFile);
    for (const text of [
      '{ "provder": "echo" }',
      '{ "model": "gpt-5.5" }',
      '{ "modle": "gpt-5.5" }',
      '{ "config": { "provider": "echo" } }',
      '{ "guardrail": ["no-secrets"] }',
      '{ "confgs": "configs", "provder": "echo" }',
      '{ "confgs": "configs", "oops": 1 }',
      '{ "cache": { "ttl": 60 } }',
      '{}',
    ])
      expect(foundIn(text, 'prod.json').join()).not.toContain('wrong-file');
    expect(foundIn('{ "confgs": "configs" }', 'header').join()).not.toContain('wrong-file');
  });

  it('is named in the hint by its file name', () => {
    const hintOf = (file: string) =>
      compile('{ "configs": "configs" }', { trust: 'operator', catalogue, saved, file }).diagnostics[0]?.hint;
    expect(hintOf('deploy/local.yaml')).toBe(
      'Check it, with the configs that it names: gw check --config deploy/local.yaml',
    );
    expect(hintOf('header')).toBe('Check it, with the configs that it names: gw check --config gateway.json');
  });

  it('causes one finding if it is given as a gateway file', () => {
    expect(found(readGatewayFile('{ "provider": "echo", "retry": 5 }', 'gateway.json').diagnostics)).toEqual([
      'wrong-file: This is a routing config, not a gateway file.',
    ]);
  });

  it('is not suspected if a key of the expected kind is present, or if no key is known', () => {
    expect(found(asConfig('{ "provider": "@openai-prod", "plugins": [] }').diagnostics)).toEqual([
      'unknown-key: "plugins" is not a setting here.',
    ]);
    expect(readGatewayFile('{ "provider": "echo", "listen": {} }', 'gateway.json').diagnostics).toMatchObject([
      { code: 'unknown-key' },
    ]);
    expect(asConfig('{ "oops": 1 }').diagnostics).toMatchObject([{ code: 'unknown-key' }]);
  });
});
