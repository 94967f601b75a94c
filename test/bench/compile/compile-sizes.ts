import type { JsonObject } from '../../../schema/json/json.ts';

const models = [
  ['openai', 'gpt-4.1'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['groq', 'llama-3.3-70b-versatile'],
  ['mistral-ai', 'mistral-large-latest'],
  ['deepseek', 'deepseek-chat'],
] as const;

const target = (at: number): JsonObject => {
  const [provider, model] = models[at % models.length] ?? models[0];
  return {
    ...{ name: `target-${at}`, provider, api_key: `\${env:KEY_${at % 50}}`, request_timeout: 20_000 + (at % 10) },
    retry: { attempts: 2, on_status_codes: [429, 500, 503] },
    override_params: {
      ...{ model, temperature: (at % 10) / 10, max_tokens: 256 + (at % 100) },
      stop: `the end of target ${at}${'.'.repeat(150)}`,
    },
  };
};

const perTenant = 10;

/** A config with a fallback for each of many tenants: half a kilobyte a target. */
export const manyTargets = (count: number): JsonObject => {
  const tenants = Array.from({ length: count / perTenant }, (_, tenant) => tenant);
  return {
    strategy: {
      mode: 'conditional',
      conditions: tenants.map((tenant) => ({
        ...{ query: { 'metadata.tenant': { $eq: `tenant-${tenant}` } }, then: `tenant-${tenant}` },
      })),
      default: 'tenant-0',
    },
    targets: tenants.map((tenant) => ({
      name: `tenant-${tenant}`,
      strategy: { mode: 'fallback', on_status_codes: [429, 500] },
      targets: Array.from({ length: perTenant }, (_, at) => target(tenant * perTenant + at)),
    })),
  };
};

/** One of many configs of a typical team. */
export const smallConfig = (at: number): JsonObject => ({
  name: `config-${at}`,
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: `target-${at}` }],
    default: `target-${at + 1}`,
  },
  targets: [0, 1, 2].map((further) => target(at + further)),
});
