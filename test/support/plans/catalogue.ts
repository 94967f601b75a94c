import { builtinPlugins } from '../../../plugins/builtin.ts';
import { defineGuardrail, type Guardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue, type Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { Saved } from '../../../schema/config/saved.ts';
import { wordCount } from '../plugins/word-count.ts';

/** A provider with several secrets, and an address derived from a setting. */
const vault: Provider = {
  id: 'vault',
  documentation: 'https://vault.example/docs',
  baseUrl: ({ cloudc_region: region }) => `https://${String(region ?? 'main')}.vault.example/v1`,
  credential: 'required',
  credentialFields: ['cloudc_access_key_id', 'cloudc_secret_access_key', 'cloudc_session_token'],
  settings: ['cloudc_region'],
  speaks: { chat: '/chat/completions' },
  headers: () => [],
};

/** A provider with its own settings, one of which is required. */
const locker: Provider = {
  id: 'locker',
  documentation: 'https://locker.example/docs',
  baseUrl: ({ stage, hall }) => `https://${String(hall)}.${String(stage)}.locker.example/v1`,
  credential: 'required',
  credentialFields: ['locker_key'],
  ownSettings: {
    type: 'object',
    required: ['hall'],
    properties: {
      hall: { type: 'string', minLength: 1 },
      stage: { type: 'string', enum: ['live', 'test'], default: 'live' },
      shelves: { type: 'array', items: { type: 'integer', minimum: 1 } },
    },
  },
  speaks: { chat: '/chat/completions' },
  headers: ({ locker_key: key = '' }) => ['x-locker-key', key],
};

const requestOnly: Guardrail = defineGuardrail({
  id: 'test.requestOnly',
  phases: ['input'],
  parameters: { type: 'object' },
  create: () => () => pass(),
});

/** Parameters of every form that a schema can describe. */
const choosy: Guardrail = defineGuardrail({
  id: 'test.choosy',
  parameters: {
    type: 'object',
    properties: {
      words: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] },
      rule: { type: 'string', format: 'regex' },
      link: { type: 'string', format: 'uri' },
      share: { type: 'number', minimum: 0, maximum: 1 },
      code: { type: 'string', pattern: '^[a-z]+$' },
      timeout: { type: 'integer', default: 3000 },
      nested: { type: 'object', properties: { deep: { type: 'boolean', default: true } } },
    },
  },
  create: () => () => pass(),
});

/** The built-in plugins, and one with features of which they have no example. */
export const testCatalogue: Catalogue = buildCatalogue([
  ...builtinPlugins,
  definePlugin({ name: 'test', providers: [vault, locker], guardrails: [requestOnly, choosy, wordCount] }),
]);

/** Records that a gateway file might save. */
export const testSaved: Saved = {
  providers: {
    'openai-prod': { provider: 'openai', credential: { api_key: '${env:OPENAI_API_KEY}' } },
    'azure-prod': {
      provider: 'azure-openai',
      credential: { api_key: '${file:/run/secrets/azure}' },
      settings: { resource_name: 'company', api_version: '2024-10-21' },
    },
    local: { provider: 'ollama', settings: { custom_host: 'http://127.0.0.1:11434/v1' } },
  },
  virtualKeys: { 'team-a': { provider: 'anthropic', credential: { api_key: '${env:TEAM_A_KEY}' } } },
  unusable: {
    'openai-trial': {
      what: 'saved provider',
      why: 'expired at 2026-01-01T00:00:00.000Z',
      remedy: 'set a later "expires_at"',
    },
  },
  guardrails: { 'no-secrets': { 'default.contains': { words: ['password'], operator: 'none' }, deny: true } },
};
