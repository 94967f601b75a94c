import { describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { compile } from '../../../compiler/compile.ts';
import { checkSaved } from '../../../compiler/gateway-file-checks/check-saved.ts';
import { nothingSaved, type SavedProvider } from '../../../schema/config/saved.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';

const credential = { locker_key: '${env:LOCKER_KEY}' };
const vaultCredential = { cloudc_access_key_id: '${env:VAULT_KEY_ID}' };

const found = (saved: SavedProvider): readonly string[] =>
  checkSaved({ ...nothingSaved, providers: { a: saved } }, catalogue).map(
    ({ code, pointer, part = 'value', hint }) => `${pointer} (${part}) ${code}: ${hint}`,
  );

const ofLocker = (settings?: SavedProvider['settings']): readonly string[] =>
  found({ provider: 'locker', credential, ...(settings === undefined ? {} : { settings }) });

describe('the settings of a saved provider', () => {
  it('are its own settings, the config fields that it reads, and custom_host', () => {
    expect(ofLocker({ hall: 'east' })).toEqual([]);
    expect(ofLocker({ hall: 'east', stage: 'test', shelves: [1], custom_host: 'https://l.example' })).toEqual([]);
    expect(found({ provider: 'vault', credential: vaultCredential, settings: { cloudc_region: 'eu' } })).toEqual([]);
  });

  it('are reported if they are misspelt, with the intended name', () => {
    expect(ofLocker({ hall: 'east', stgae: 'test' })).toEqual([
      '/providers/a/settings/stgae (key) unknown-key: Did you mean "stage"?',
    ]);
    expect(found({ provider: 'vault', credential: vaultCredential, settings: { cloudc_regoin: 'eu' } })).toEqual([
      '/providers/a/settings/cloudc_regoin (key) unknown-key: Did you mean "cloudc_region"?',
    ]);
  });

  it('are reported if their values are invalid', () => {
    expect(ofLocker({ hall: 'east', stage: 'tset', shelves: [0] })).toEqual([
      expect.stringContaining('/providers/a/settings/stage (value) not-in-list'),
      expect.stringContaining('/providers/a/settings/shelves/0 (value) out-of-range'),
    ]);
  });

  it('are reported if one is missing, whether or not there are others', () => {
    expect(ofLocker({ stage: 'test' })).toEqual(['/providers/a/settings (value) missing-key: Add "hall".']);
    expect(ofLocker()).toEqual(['/providers/a (value) missing-key: Add "hall".']);
  });

  it('cannot contain a secret', () => {
    expect(ofLocker({ hall: 'east', locker_key: 'k' })).toEqual([
      '/providers/a/settings/locker_key (key) unknown-key: Move it into "credential": "credential": { "locker_key": "${env:…}" }.',
    ]);
  });

  it('are reported with the line and column in the gateway file', () => {
    const text = [
      '{',
      '  "providers": {',
      '    "a": {',
      '      "provider": "locker",',
      '      "credential": { "locker_key": "${env:LOCKER_KEY}" },',
      '      "settings": { "hall": "east", "stgae": "test" }',
      '    }',
      '  }',
      '}',
    ].join('\n');
    const { saved, diagnose } = readGatewayFile(text, 'gateway.json');
    expect(checkSaved(saved, catalogue).map((problem) => diagnose(problem).span)).toEqual([
      expect.objectContaining({ line: 6, column: 37, length: '"stgae"'.length }),
    ]);
  });

  it('are in the plan with their defaults', () => {
    const saved = { ...nothingSaved, providers: { a: { provider: 'locker', credential, settings: { hall: 'east' } } } };
    const { plan, diagnostics } = compile('{ "provider": "@a" }', { trust: 'operator', catalogue, saved });
    expect(diagnostics).toEqual([]);
    expect(plan?.targets[0]?.settings).toEqual({ hall: 'east', stage: 'live' });
  });
});
