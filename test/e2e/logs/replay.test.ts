import { expect, it, onTestFinished, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import {
  adminKey,
  callControl,
  chatUpstream,
  control,
  saveChat,
  sharedStore,
} from '../../support/gateways/stored-gateway.ts';
import { readRecord } from './support/logged.ts';

const served = sharedStore();

const saveConfig = async (slug: string, config: object, version = 1): Promise<void> => {
  const call = version === 1 ? 'POST /configs' : `PUT /configs/${slug}`;
  const { status, text } = await callControl(served(), call, {
    body: { ...(version === 1 && { name: slug, slug }), config },
  });
  expect({ status, text }).toMatchObject({ status: 200 });
};

/** Sends a chat by a config, and reads its record. */
const sendBy = async (
  config: string,
  trace: string,
  { metadata = {}, model = 'm' }: { readonly metadata?: object; readonly model?: string } = {},
) => {
  const { baseUrl } = served();
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-gw-api-key': adminKey, 'x-gw-config': config },
      ...{ 'x-gw-metadata': JSON.stringify(metadata), 'x-gw-trace-id': trace },
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  await answer.text();
  return readRecord(served(), trace);
};

const replay = async (id: string, body: object, asked: { readonly key?: string; readonly workspace?: string } = {}) => {
  const { status, text } = await callControl(served(), `POST /logs/${id}/replay`, { body, ...asked });
  return { status, body: JSON.parse(text) };
};

const fallback = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });
const asFirst = { name: 'first', provider: '@first' };
const asEcho = { name: 'spare', provider: 'echo' };

/** Starts an upstream that is busy, and saves a provider for it. */
const busyProvider = async () => {
  const upstream = await chatUpstream();
  upstream.handle((call) => call.json({ error: { message: 'Too busy.' } }, { status: 503 }));
  await saveChat(served(), { upstream, slug: 'first', credential: 'sk-1234567890' });
  return upstream;
};

const useGateway = ({ origin }: GatewayProcess): void => {
  vi.stubEnv('GW_URL', origin);
  vi.stubEnv('GW_API_KEY', adminKey);
  onTestFinished(() => void vi.unstubAllEnvs());
};

it('shows where a logged request would go with saved configs, their versions, and unsaved configs', async () => {
  const upstream = await busyProvider();
  await saveConfig('chat', fallback(asFirst, asEcho));
  await saveConfig('next', fallback(asFirst));
  await saveConfig('next', fallback({ ...asEcho, name: 'other' }, asFirst), 2);
  const { id } = await sendBy('chat', 'replayed');
  const calls = upstream.requests.length;

  const same = await replay(id, { config: 'chat' });
  expect(same.status).toBe(200);
  expect(same.body).toMatchObject({
    ...{ object: 'log-replay', log_id: id, outcome: 'unchanged', lacks: [] },
    config: { slug: 'chat', version: 1 },
    recorded_on: { slug: 'chat', version: 1 },
    before: {
      status: 200,
      cause: null,
      calls: [
        { target: 'first', status: 503 },
        { target: 'spare', status: 200 },
      ],
    },
    after: {
      status: 200,
      calls: [
        { target: 'first', status: 503 },
        { target: 'spare', status: 200 },
      ],
    },
  });

  const next = await replay(id, { config: 'next' });
  expect(next.body).toMatchObject({
    ...{ outcome: 'elsewhere', text: 'elsewhere: first 503, other 200 → other 200' },
    config: { slug: 'next', version: 2 },
    after: { status: 200, trail: [{ kind: 'attempted', path: '/targets/0', target: 'other', status: 200 }] },
  });
  expect((await replay(id, { config: 'next', version: 1 })).body).toMatchObject({
    ...{ outcome: 'elsewhere', text: 'elsewhere: first 503, spare 200 → first 503' },
    ...{ config: { slug: 'next', version: 1 }, after: { status: 503 } },
  });
  const nested = fallback({ name: 'group', ...fallback({ ...asEcho, name: 'own' }) });
  expect((await replay(id, { config: nested })).body).toMatchObject({
    ...{ config: null, outcome: 'elsewhere' },
    after: { trail: [{ kind: 'attempted', target: 'own', path: '/targets/0/targets/0' }] },
  });
  // Credentials in a config are replaced by made-up ones, like those of providers.
  const keyed = { name: 'keyed', provider: 'openai', api_key: 'sk-of-the-config', override_params: { model: 'm' } };
  await saveConfig('keyed', keyed);
  for (const config of ['keyed', keyed])
    expect((await replay(id, { config })).body).toMatchObject({ text: 'elsewhere: first 503, spare 200 → keyed 200' });
  expect(upstream.requests.length).toBe(calls);

  useGateway(served());
  const folder = temporaryFolder({ 'new.json': nested });
  expect(await runGw(folder, ['logs', 'replay', id, '--config', 'next'])).toEqual({
    ...{ code: 0, err: '' },
    out: 'elsewhere: first 503, other 200 → other 200\n',
  });
  expect(await runGw(folder, ['logs', 'replay', id, 'new.json'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^elsewhere: /),
  });
});

it('decides conditions by metadata and by the recorded choice, and names the facts that the log lacks', async () => {
  const byTier = (then: string, other: string, query: object = { 'metadata.tier': { $eq: 'gold' } }): object => ({
    strategy: { mode: 'conditional', conditions: [{ query, then }], default: other },
    targets: [
      { name: 'a', provider: 'echo' },
      { name: 'b', provider: 'echo', override_params: { model: 'b' } },
    ],
  });
  await saveConfig('tiers', byTier('a', 'b'));
  const long = { 'params.max_tokens': { $gt: 100 } };
  await saveConfig('long', byTier('a', 'b', long));
  const { id } = await sendBy('tiers', 'gold', { metadata: { tier: 'gold' } });
  expect((await replay(id, { config: byTier('b', 'a') })).body).toMatchObject({
    ...{ outcome: 'elsewhere', text: 'elsewhere: a 200 → b 200' },
    after: {
      trail: [
        { kind: 'chose', path: '', branch: 1 },
        { kind: 'attempted', path: '/targets/1', target: 'b' },
      ],
    },
  });
  expect((await replay(id, { config: 'long' })).body).toMatchObject({
    ...{ outcome: 'undecided', lacks: ['params.max_tokens'] },
    text: 'undecided: a 200; the log lacks params.max_tokens',
    after: { status: null, calls: [], trail: [] },
  });
  // The choice recorded on the earlier version shows which condition the request met.
  const { id: short } = await sendBy('long', 'short');
  await saveConfig('long', byTier('b', 'a', long), 2);
  expect((await replay(short, { config: 'long' })).body).toMatchObject({
    ...{ outcome: 'elsewhere', text: 'elsewhere: b 200 → a 200' },
    ...{ config: { version: 2 }, recorded_on: { slug: 'long', version: 1 } },
  });
});

it('refuses what it cannot replay with one error that states the remedy', async () => {
  await saveConfig('plain', { provider: 'echo' });
  const { id } = await sendBy('plain', 'plain');
  const sent = await callControl(served(), 'POST /logs', {
    body: { request: { url: 'https://api.test/v1/x', body: {} }, response: { body: {} } },
  });
  const sentId = JSON.parse(sent.text).data[0].id;
  const rows: readonly (readonly [string, object, number, string])[] = [
    [id, {}, 400, 'config'],
    [id, { config: 7 }, 400, 'config'],
    [id, { config: 'plain', version: 9 }, 400, 'version'],
    [id, { config: { provider: 'echo' }, version: 1 }, 400, 'has no versions'],
    [id, { config: { provider: 'opnai' } }, 400, 'opnai'],
    [id, { config: 'nothing' }, 404, 'There is no config "nothing".'],
    ['nothing', { config: 'plain' }, 404, 'There is no log "nothing".'],
    [sentId, { config: 'plain' }, 409, 'This record was sent to the log'],
  ];
  for (const [record, body, status, message] of rows) {
    const answer = await replay(record, body);
    expect({ status: answer.status, text: JSON.stringify(answer.body) }).toEqual({
      status,
      text: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    });
  }
});

it('refuses keys that may not read both logs and configs, and hides records from other workspaces', async () => {
  await saveConfig('own', { provider: 'echo' });
  const { id } = await sendBy('own', 'own');
  const missing = async (scopes: readonly string[]) => {
    const { key = '' } = await control(served(), 'POST /api-keys/workspace/service', {
      body: { name: scopes.join(' '), scopes, workspace_id: 'default' },
    });
    return (await replay(id, { config: 'own' }, { key })).body.error?.message;
  };
  expect(await missing(['logs.view'])).toContain('configs.read');
  expect(await missing(['configs.read'])).toContain('logs.view');
  expect(await missing(['logs.view', 'configs.read'])).toBeUndefined();
  await callControl(served(), 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  expect(await replay(id, { config: 'own' }, { workspace: 'other' })).toMatchObject({ status: 404 });
});
