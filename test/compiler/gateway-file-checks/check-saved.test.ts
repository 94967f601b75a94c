import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { checkSaved } from '../../../compiler/gateway-file-checks/check-saved.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { nothingSaved, type SavedProvider } from '../../../schema/config/saved.ts';
import { testCatalogue, testSaved } from '../../support/plans/catalogue.ts';

it('checkSaved reports nothing for valid records', () => {
  expect(checkSaved(testSaved, testCatalogue)).toEqual([]);
});

it('checkSaved reports records that no config could use, each at its place', () => {
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

it('checkSaved warns about a saved host as about one of a config, and about no other provider', () => {
  const hosted = (custom_host: string, credential = {}) => ({
    provider: 'ollama',
    credential,
    settings: { custom_host },
  });
  const providers = {
    a: hosted('https://models.example.com'),
    b: hosted('https://models.example.com/v1'),
    c: hosted('http://models.example.com/v1', { api_key: '${env:KEY}' }),
    d: { provider: 'ollama' },
  };
  const found = checkSaved({ ...nothingSaved, providers, virtualKeys: { v: providers.a } }, testCatalogue);
  expect(found.map(({ code, severity, pointer }) => `${severity} ${pointer} ${code}`)).toEqual([
    'warning /providers/a/settings/custom_host missing-version',
    'warning /providers/c/settings/custom_host clear-text-credential',
    'warning /virtual_keys/v/settings/custom_host missing-version',
  ]);
  const config = JSON.stringify({ provider: 'ollama', custom_host: 'https://models.example.com' });
  const [inline] = compile(config, { trust: 'operator', catalogue: testCatalogue }).diagnostics;
  expect([found[0]?.message, found[0]?.hint]).toEqual([inline?.message, inline?.hint]);
});

it.each([
  ['https://acme-sweden.openai.azure.com', 'https://acme-sweden.openai.azure.com/openai'],
  ['http://127.0.0.1:9000/v1/', 'http://127.0.0.1:9000/openai'],
  ['https://proxy.example.com/azure', 'https://proxy.example.com/azure/openai'],
  ['https://proxy.example.com/azure/openai/v1', 'https://proxy.example.com/azure/openai'],
])(
  'checkSaved warns that the host %s of an Azure OpenAI resource does not end with /openai',
  (custom_host, suggested) => {
    const a = { provider: 'azure-openai', credential: { api_key: '${env:KEY}' }, settings: { custom_host } };
    expect(checkSaved({ ...nothingSaved, providers: { a } }, testCatalogue)).toEqual([
      {
        ...{ code: 'missing-version', severity: 'warning', pointer: '/providers/a/settings/custom_host' },
        message: 'A custom_host replaces the whole base URL, but this one does not end with a path such as "/openai".',
        hint: `Write "${suggested}", unless the host serves the operations of "azure-openai" without this path.`,
      },
    ]);
  },
);

it.each([
  ['azure-openai', 'azure_resource_name', 'resource_name'],
  ['azure-openai', 'clouda_resource_name', 'resource_name'],
  ['azure-openai', 'azure_api_version', 'api_version'],
  ['bedrock', 'region', 'cloudc_region'],
  ['bedrock', 'aws_region', 'cloudc_region'],
  ['azure-openai', 'resource_nmae', 'resource_name'],
])(
  'a setting of a saved %s provider, %s, gets a hint with the known setting that it resembles',
  (provider, key, meant) => {
    const a = { provider, settings: { [key]: 'acme' } };
    expect(checkSaved({ ...nothingSaved, providers: { a } }, testCatalogue)).toContainEqual({
      ...{ code: 'unknown-key', pointer: `/providers/a/settings/${key}`, part: 'key' },
      ...{ message: `"${key}" is not a setting here.`, hint: `Did you mean "${meant}"?` },
    });
  },
);

describe('the credential of a saved provider', () => {
  const unknownFields = (saved: SavedProvider, list: 'providers' | 'virtualKeys' = 'providers'): readonly string[] =>
    checkSaved({ ...nothingSaved, [list]: { a: saved } }, testCatalogue)
      .filter(({ code }) => code === 'unknown-key')
      .map(({ pointer, part, message, hint }) => `${pointer} (${part}) ${message} ${hint}`);

  const everyName = builtinPlugins.flatMap(({ providers = [] }) =>
    providers.flatMap((provider) =>
      [provider.id, ...(provider.aliases ?? [])].map((name) => [name, provider] as const),
    ),
  );

  it.each(everyName)('has only the members that %s reads', (name, provider) => {
    const credential = Object.fromEntries(toCredentialFields(provider).map((field) => [field, '${env:SECRET}']));
    expect(unknownFields({ provider: name, credential })).toEqual([]);
    expect(unknownFields({ provider: name, credential: { ...credential, apikey_: '${env:SECRET}' } })).toEqual([
      expect.stringContaining(
        `/providers/a/credential/apikey_ (key) The provider ${provider.id} has no credential "apikey_".`,
      ),
    ]);
  });

  it('has an unknown member reported at its place, with the intended name', () => {
    const misspelt: SavedProvider = { provider: 'openai', credential: { apikey: '${env:OPENAI_API_KEY}' } };
    const what = 'The provider openai has no credential "apikey". Did you mean "api_key"?';
    expect(unknownFields(misspelt)).toEqual([`/providers/a/credential/apikey (key) ${what}`]);
    expect(unknownFields(misspelt, 'virtualKeys')).toEqual([`/virtual_keys/a/credential/apikey (key) ${what}`]);
  });

  it('cannot contain a setting', () => {
    const credential = { api_key: '${env:AZURE_KEY}', resource_name: '${env:RESOURCE}' };
    expect(unknownFields({ provider: 'azure-openai', credential })).toEqual([
      '/providers/a/credential/resource_name (key) The provider azure-openai has no credential "resource_name". Move it to "settings".',
    ]);
  });

  it('has the known member suggested for a name with a prefix of the cloud', () => {
    const credential = { azure_ad_token: '${env:X}' };
    expect(unknownFields({ provider: 'azure-openai', credential })).toEqual([
      '/providers/a/credential/azure_ad_token (key) The provider azure-openai has no credential "azure_ad_token". Did you mean "clouda_ad_token"?',
    ]);
  });
});

describe('an unusable saved setting', () => {
  const saved = {
    ...nothingSaved,
    providers: {
      a: {
        provider: 'azure-openai',
        credential: { api_key: '${env:AZURE_KEY}' },
        settings: { resource_name: 'https://acme.openai.azure.com', deployment_id: 'd', api_version: '2024-10-21' },
      },
    },
  };
  const warnings = (config: object): readonly string[] =>
    compile(JSON.stringify(config), { trust: 'operator', catalogue: testCatalogue, saved }).diagnostics.map(
      ({ code, pointer }) => `${pointer} ${code}`,
    );

  it('is reported once, where it is saved', () => {
    expect(checkSaved(saved, testCatalogue)).toEqual([
      {
        code: 'wrong-form',
        pointer: '/providers/a/settings/resource_name',
        message: 'resource_name must be the first label of the host, such as "my-company".',
        hint: 'Write "acme" as "resource_name", or add a custom_host.',
      },
    ]);
    expect(warnings({ provider: '@a' })).toEqual([]);
  });

  it('is not reported if a config overrides it, and a wrong override is reported in the config', () => {
    expect(warnings({ provider: '@a', resource_name: 'acme' })).toEqual([]);
    expect(warnings({ provider: '@a', resource_name: 'acme.example' })).toEqual(['/resource_name missing-base-url']);
  });

  it('is not reported in a config if a misspelt setting of the gateway file explains it', () => {
    const { a } = saved.providers;
    const warnsOf = (settings: object): readonly string[] =>
      compile(JSON.stringify({ provider: '@a' }), {
        ...{ trust: 'operator', catalogue: testCatalogue },
        saved: { ...saved, providers: { a: { ...a, settings: { deployment_id: 'd', ...settings } } } },
      }).diagnostics.map(({ code }) => code);
    expect(warnsOf({})).toEqual(['missing-base-url']);
    expect(warnsOf({ resourcename: 'acme' })).toEqual([]);
    expect(warnsOf({ unknown_ids: 'allow' })).toEqual(['missing-base-url']);
  });

  it('is not reported next to a custom_host', () => {
    const { a } = saved.providers;
    const settings = { ...a.settings, custom_host: 'https://acme.example/openai' };
    expect(checkSaved({ ...saved, providers: { a: { ...a, settings } } }, testCatalogue)).toEqual([]);
  });
});
