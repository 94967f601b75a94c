import { isSampled } from '../../../support/run/sampled-pairs.ts';
import type { Story } from './story.ts';

const messages = [{ role: 'user', content: 'Hello!' }];

/** Sends secrets in bodies that are rejected. The errors must not repeat the secrets. */
export const sendWrongBodies = async ({ done, tried, secrets, upstream }: Story): Promise<void> => {
  const secret = secrets.make('a secret in what is refused');
  const openai = { provider: 'openai', settings: { custom_host: `${upstream.origin}/v1` } };
  const credentials = [
    { ...openai, credential: secret },
    { ...openai, credential: { api_key: [secret] } },
    { ...openai, credential: { api_kye: secret } },
    { ...openai, credential: { api_key: `${secret}\n` } },
    { ...openai, credential: { api_key: `${secret}\0` } },
    { ...openai, credential: { api_key: '' }, key: secret },
    { ...openai, credential: { api_key: secret }, key: secret },
    { ...openai, key: secret, slug: 'not a slug' },
    { ...openai, key: { text: secret } },
    { ...openai, apikey: secret },
    { ...openai, key: `\${env:${secret}}` },
    { provider: 'nobody', key: secret },
    { provider: 'bedrock', credential: { api_key: secret, cloudc_access_key_id: secret } },
    { provider: 'vertex-ai', credential: { cloudb_service_account_json: `{"private_key":"${secret}"` } },
    { provider: 'openai', settings: { custom_host: 'http://169.254.169.254' }, key: secret },
  ];
  for (const [pathAt, path] of ['/providers', '/virtual-keys', '/integrations'].entries())
    for (const more of credentials.filter((_, at) => isSampled(pathAt, at, 3)))
      await tried(`POST ${path}`, { body: { name: 'wrong', ...more } });
  const configs = [
    { provider: 'openai', api_key: [secret] },
    { provider: 'openai', api_key: { text: secret } },
    { provider: 'openai', api_key: secret, custom_host: 'no url' },
    { provider: 'openai', api_key: secret, retyr: {} },
    { provider: 'openai', Authorization: [secret] },
    { provider: 'openai', Authorization: `Basic ${secret}` },
    { provider: 'openai', Authorization: `Bearer ${secret}`, api_key: 'another' },
    { provider: 'openai', Authorization: `Bearer ${secret}\n`, retyr: {} },
    { provider: '@app', Authorization: `Bearer ${secret}` },
    { provider: 'nobody', api_key: secret },
    { provider: '@nothing', api_key: secret },
    { provider: 'openai', api_key: `\${env:${secret}}` },
    { provider: 'openai', api_key: `x\${file:/${secret}}` },
    { provider: 'openai', api_key: `${secret}\0` },
    { provider: 'openai', api_key: `gw-sealed:/${secret}` },
    { provider: 'bedrock', cloudc_secret_access_key: secret },
    { provider: 'vertex-ai', cloudb_service_account_json: { private_key: secret } },
    { api_key: secret, targets: [] },
    { provider: 'echo', input_guardrails: [{ 'default.webhook': { secretHeaders: { authorization: secret } } }] },
    { provider: 'echo', input_guardrails: [{ 'default.webhook': { webhookURL: 'x', secretHeaders: [secret] } }] },
  ];
  const ways: readonly ((config: object) => Promise<unknown>)[] = [
    (config) => tried('POST /configs', { body: { name: 'wrong', config } }),
    (config) => tried('POST /configs?dry_run=true', { body: { name: 'wrong', config } }),
    (config) => tried('POST /configs', { body: { name: 'wrong', config: JSON.stringify(config) } }),
    (config) =>
      tried('POST /chat/completions', {
        headers: { 'x-gw-config': JSON.stringify(config) },
        body: { model: 'm', messages },
      }),
  ];
  const changed = { provider: 'openai', api_key: secret };
  await done('POST /configs', { body: { name: 'c', slug: 'changed', config: changed } });
  for (const [configAt, config] of configs.entries()) {
    for (const send of ways.filter((_, at) => isSampled(configAt, at, 4))) await send(config);
    await tried('PUT /configs/changed', { body: { config } });
  }
  for (const parameters of [
    { webhookURL: 'http://127.0.0.1:1/x', secretHeaders: { authorization: [secret] } },
    { webhookURL: 'no', secretHeaders: { authorization: secret } },
    { webhookURL: 'http://127.0.0.1:1/x', headers: { authorization: secret } },
    { webhookURL: 'http://127.0.0.1:1/x', secretHeaders: { authorization: `${secret}\n` } },
    { webhookURL: 'http://127.0.0.1:1/x', secretHeaders: secret },
  ])
    await tried('POST /guardrails', { body: { name: 'g', checks: [{ id: 'webhook', parameters }], actions: {} } });
  for (const body of [
    `{"name":"x","key":"${secret}"`,
    `{"name":"x","key":"${secret}","key":"${secret}"}`,
    `[${secret}]`,
  ])
    await tried('POST /providers', { body });
};

/** Sends a service key and a token where they do not belong. Nothing of them may be answered or written. */
export const misplaceKeys = async ({ tried, upstream }: Story, keys: readonly string[]): Promise<void> => {
  const json = (config: object): Readonly<Record<string, string>> => ({ 'x-gw-config': JSON.stringify(config) });
  const settings = { custom_host: `${upstream.origin}/v1` };
  for (const [keyAt, secret] of keys.entries()) {
    const places: readonly Readonly<Record<string, string>>[] = [
      { 'x-gw-config': secret },
      { 'x-gw-virtual-key': secret },
      { 'x-gw-provider': `@${secret}` },
      { 'x-gw-provider': secret },
      { 'x-gw-workspace': secret },
      { 'x-gw-trace-id': secret },
      { 'x-gw-metadata': JSON.stringify({ key: secret }) },
      { 'x-gw-cache-namespace': secret, 'x-gw-config': 'plain' },
      json({ provider: 'openai', api_key: secret, ...settings }),
      json({ provider: `@${secret}` }),
      json({ virtual_key: secret }),
      { authorization: `Bearer ${secret}`, 'x-gw-provider': 'openai', 'x-gw-custom-host': `${upstream.origin}/v1` },
      { 'x-api-key': secret, 'x-gw-config': 'plain' },
      { cookie: `key=${secret}` },
    ];
    for (const headers of places.filter((_, at) => isSampled(keyAt, at, 2))) {
      await tried('POST /chat/completions', { headers, body: { model: 'm', messages } });
      await tried('GET /configs', { headers });
    }
    const encoded = encodeURIComponent(secret);
    for (const request of [
      `GET /configs/${encoded}`,
      `GET /api-keys/${encoded}`,
      `GET /api-keys?workspace_id=${encoded}`,
      `GET /configs?key=${encoded}`,
      `POST /chat/completions?key=${encoded}`,
      `POST /models/${encoded}:generateContent`,
      `GET /${encoded}`,
      `GET /things/${encoded.replace('gw-', '%67w%2D')}?x=1`,
      `GET /things?some=${encoded}&x=1`,
    ])
      await tried(request, request.startsWith('GET') ? {} : { body: { model: 'm', messages } });
    // A path that is passed through, with all of its headers.
    for (const name of ['cookie', 'x-note', 'tracestate'])
      await tried('GET /things', { headers: { [name]: `key=${secret}` } });
    await tried('POST /chat/completions', { body: { model: `@${secret}/m`, messages } });
    await tried('POST /labels', { body: { name: 'l' }, headers: { 'idempotency-key': secret } });
  }
};
