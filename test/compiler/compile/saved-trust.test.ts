import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import type { CompileResult } from '../../../schema/plan/plan.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../support/plans/catalogue.ts';
import { toCodes as codes } from '../../support/plans/compiled.ts';

const compiled = (config: object, name?: string): CompileResult =>
  compile(JSON.stringify(config), { trust: 'saved', catalogue, saved, ...(name === undefined ? {} : { name }) });

const readCodes = (config: Parameters<typeof codes>[0]): readonly string[] => codes(config, 'saved');

describe('a config that was saved for a tenant', () => {
  it('returns its credentials separately from the plan, which contains none', () => {
    const result = compiled({ provider: 'openai', api_key: 'sk-of-the-tenant', name: 'mine' }, 'pc-mine-1a2b3c');
    expect(result.secrets).toEqual(['sk-of-the-tenant']);
    expect(JSON.stringify(result.plan)).not.toContain('sk-of-the-tenant');
    expect(result.plan?.name).toBe('pc-mine-1a2b3c');
  });

  it('cannot refer to variables and files of the operator', () => {
    for (const reference of ['env:OPENAI_API_KEY', 'file:/etc/passwd'])
      expect(readCodes({ provider: 'openai', api_key: `\${${reference}}` })).toContain('reference-not-allowed');
    expect(readCodes({ provider: '@openai-prod', custom_host: `\${${'env:HOST'}}` })).toContain(
      'reference-not-allowed',
    );
  });

  it('cannot refer to what the store has sealed, and neither can a caller or an operator', () => {
    for (const end of ['', '\n']) {
      const config = {
        provider: 'openai',
        api_key: `\${saved:providers/018f/api_key${end}}`,
        custom_host: 'https://a.example',
      };
      expect(codes(config, 'saved')).toEqual(['reference-not-allowed']);
      expect(codes(config, 'caller')).toEqual(['reference-not-allowed']);
      expect(codes(config, 'operator')).toContain('malformed-reference');
    }
  });

  it('can neither divert a saved credential nor add headers to it', () => {
    const diverted = { provider: '@openai-prod', custom_host: 'https://attacker.example/v1' };
    expect(readCodes(diverted)).toContain('credential-origin-mismatch');
    expect(readCodes({ provider: '@openai-prod', forward_headers: ['x-team'] })).toContain(
      'credential-origin-mismatch',
    );
    const own = { provider: 'openai', api_key: 'sk', custom_host: 'https://models.example.com/v1' };
    expect(readCodes(own)).toEqual([]);
  });

  it('gets a hint if a virtual key has the name of an unknown provider, but a caller does not', () => {
    const [key = ''] = Object.keys(saved.virtualKeys);
    const text = JSON.stringify({ provider: `@${key}` });
    const hints = (['saved', 'caller'] as const).map(
      (trust) => compile(text, { trust, catalogue, saved }).diagnostics[0]?.hint,
    );
    expect(hints).toEqual([
      `A virtual key has this name: write "virtual_key": "${key}" instead of the provider.`,
      'Ask the operator of the gateway which names are saved.',
    ]);
  });

  it('gets a hint to write an empty credential itself, because it cannot refer to one', () => {
    const [problem] = compiled({ provider: 'openai', api_key: '' }).diagnostics;
    expect(problem).toMatchObject({
      code: 'empty-credential',
      hint: 'Write the credential itself, which is sealed when it is saved, or use a saved provider ("@…").',
    });
    const ofCaller = compile('{ "provider": "openai", "api_key": "" }', { trust: 'caller', catalogue, saved });
    expect(ofCaller.diagnostics[0]?.hint).toBe('Write the credential itself, or use a saved provider ("@…").');
  });

  it('gets hints with the names that are saved for it', () => {
    const [problem] = compiled({ provider: '@openai-prd' }).diagnostics;
    expect(problem).toMatchObject({ code: 'unknown-saved-provider', hint: 'Did you mean "@openai-prod"?' });
  });
});
