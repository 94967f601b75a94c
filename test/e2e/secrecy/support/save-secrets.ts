import { toFingerprint } from '../../../../runtime/engine/target/state-key.ts';
import type { Story } from './story.ts';

/** Saves providers with several keys, and changes them by the placeholders of the keys. */
const savePools = async ({ done, secrets, upstream }: Story): Promise<void> => {
  const settings = { custom_host: `${upstream.origin}/v1` };
  const poolKey = (name: string): object => {
    const api_key = secrets.make(name);
    secrets.add(`${name}, as a fingerprint`, toFingerprint({ api_key }));
    return { api_key };
  };
  for (const accounts of ['one', 'several']) {
    const keys = ['first', 'second'].map((which) => poolKey(`the ${which} key of a pool of ${accounts}`));
    const slug = `pool-of-${accounts}`;
    await done('POST /providers', { body: { name: slug, slug, provider: 'openai', settings, accounts, keys } });
    const { json } = await done(`GET /providers/${slug}`);
    await done(`PUT /providers/${slug}`, { body: { keys: json.keys } });
  }
};

/** Creates a service key, and registers it as a secret that only this answer may contain. */
export const makeKey = async (
  { done, secrets }: Story,
  path: string,
  body: object,
): Promise<{ readonly id: string; readonly key: string }> => {
  const name = `a key of ${path}`;
  const { json } = await done(`POST ${path}`, { body, mayContain: [name] });
  return { id: String(json.id), key: secrets.add(name, String(json.key)) };
};

/** Saves everything that can have a secret, changes it, and reads it back. */
export const saveSecrets = async (story: Story): Promise<void> => {
  const { done, tried, secrets, upstream, hook } = story;
  const settings = { custom_host: `${upstream.origin}/v1` };
  const openai = { provider: 'openai', settings };
  const again = { 'idempotency-key': 'once' };

  const integration = { name: 'i', slug: 'shared', ...openai, key: secrets.make('the key of an integration') };
  for (let times = 0; times < 2; times += 1) await done('POST /integrations', { body: integration, headers: again });
  await done('POST /providers', { body: { name: 'p', slug: 'of-shared', integration_id: 'shared' } });
  const provider = { name: 'p', slug: 'main', ...openai };
  const first = { api_key: secrets.make('the first key of a provider') };
  for (let times = 0; times < 2; times += 1)
    await done('POST /providers', { body: { ...provider, credential: first }, headers: again });
  await tried('POST /providers', { body: { ...provider, credential: first } });
  await done('PUT /providers/main', { body: { credential: { api_key: secrets.make('the key of a provider') } } });
  const clouds = {
    bedrock: {
      provider: 'bedrock',
      settings: { cloudc_region: 'eu-west-1' },
      credential: {
        cloudc_access_key_id: secrets.make('an access key id'),
        cloudc_secret_access_key: secrets.make('a secret access key'),
        cloudc_session_token: secrets.make('a session token'),
      },
    },
    'azure-openai': {
      provider: 'azure-openai',
      settings: { resource_name: 'r', deployment_id: 'd', api_version: '2024-10-21' },
      credential: { api_key: secrets.make('the key of a resource') },
    },
  };
  for (const [slug, body] of Object.entries(clouds))
    await done('POST /providers', { body: { name: slug, slug, ...body } });
  const account = { type: 'service_account', private_key: secrets.make('a private key'), client_email: 'a@b.example' };
  await done('POST /providers', {
    body: {
      ...{ name: 'v', slug: 'vertex', provider: 'vertex-ai', settings: { cloudb_project_id: 'p', cloudb_region: 'r' } },
      credential: { cloudb_service_account_json: JSON.stringify(account) },
    },
  });
  await savePools(story);
  const virtualKey = { name: 'v', slug: 'vk', ...openai, key: secrets.make('the key of a virtual key') };
  await done('POST /virtual-keys', { body: virtualKey, headers: again });

  const webhook = (name: string): object => ({
    webhookURL: `${hook.origin}/judge`,
    secretHeaders: { authorization: secrets.make(name) },
  });
  const checks = [{ id: 'webhook', parameters: webhook('a header of a saved webhook') }];
  await done('POST /guardrails', { body: { name: 'g', slug: 'guard', checks, actions: {} }, headers: again });

  const unseen = [{ id: 'webhook', parameters: webhook('a header of a webhook in the background') }];
  await done('POST /guardrails', { body: { name: 'b', slug: 'unseen', checks: unseen, actions: { async: true } } });

  const config = {
    strategy: { mode: 'fallback' },
    targets: [
      { provider: 'openai', api_key: secrets.make('a literal key'), ...settings },
      { provider: 'openai', api_key: secrets.make('another literal key'), custom_host: `${upstream.origin}/other/v1` },
    ],
    input_guardrails: ['guard', { 'default.webhook': webhook('a header of a webhook in a config') }],
  };
  const dry = { ...config, targets: [{ provider: 'openai', api_key: secrets.make('a literal key of a dry run') }] };
  await tried('POST /configs?dry_run=true', {
    body: { name: 'c', config: dry },
    headers: { 'idempotency-key': 'dry' },
  });
  await done('POST /configs', { body: { name: 'c', slug: 'app', config, is_default: true }, headers: again });
  await tried('POST /configs', { body: { name: 'c', slug: 'app', config } });
  await tried('PUT /configs/app?dry_run=true', { body: { config: dry } });
  const saved = await done('GET /configs/app');
  await done('PUT /configs/app', { body: { config: { ...Object(saved.json.config), request_timeout: 5000 } } });
  const single = { provider: 'openai', ...settings, input_guardrails: ['guard', 'unseen'] };
  await done('POST /configs', {
    body: { name: 's', slug: 'single', config: { ...single, api_key: secrets.make('the key of a single config') } },
  });
  await done('POST /configs', { body: { name: 'p', slug: 'plain', config: { provider: '@main' } } });
  const string = JSON.stringify([{ role: 'user', content: 'Greet {{name}}' }]);
  await done('POST /prompts', {
    body: { name: 'p', slug: 'greet', string, parameters: { model: 'm' }, virtual_key: 'vk' },
  });

  for (const path of ['organisation', 'workspaces', 'api-keys', 'integrations', 'providers', 'virtual-keys', 'configs'])
    await done(`GET /${path}`);
  for (const path of ['guardrails', 'prompts', 'labels', 'collections', 'openapi.json', 'integrations/shared'])
    await done(`GET /${path}`);
  for (const path of ['providers/main', 'providers/of-shared', 'providers/bedrock', 'virtual-keys/vk', 'configs/app'])
    await done(`GET /${path}`);
  for (const path of [
    'configs/app/versions',
    'configs/single',
    'guardrails/guard',
    'prompts/greet',
    'prompts/greet/versions',
  ])
    await done(`GET /${path}`);
};
