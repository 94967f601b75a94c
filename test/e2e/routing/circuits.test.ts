import { expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, chatUpstream, control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';

const list = async (gateway: GatewayProcess, query = '', workspace?: string) => {
  const { status, text } = await callControl(
    gateway,
    `GET /circuits${query}`,
    workspace === undefined ? {} : { workspace },
  );
  return { status, body: JSON.parse(text) };
};

const send = async ({ baseUrl }: GatewayProcess, config: string): Promise<number> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    // Each request has its own connection, which any worker may accept.
    headers: {
      ...{ 'content-type': 'application/json', connection: 'close' },
      ...{ 'x-gw-api-key': adminKey, 'x-gw-config': config },
    },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  await answer.text();
  return answer.status;
};

it.each([
  ['one process', []],
  ['two workers', ['--workers', '2']],
])('lists the circuits of a workspace by config with state, times, failures and cause: %s', async (_, args) => {
  const gateway = await serveStore('gateway.db', { args });
  const upstream = await chatUpstream();
  upstream.handle((call) => call.json({ error: { message: 'Too busy.' } }, { status: 503 }));
  const target = {
    ...{ name: 'first', provider: 'openai', api_key: 'sk-1', custom_host: `${upstream.origin}/v1` },
    cb_config: { failure_threshold: 3, cooldown_interval: 600_000 },
  };
  const config = { strategy: { mode: 'fallback' }, targets: [target, { provider: 'echo' }] };
  const before = Date.now() / 1000;
  await control(gateway, 'POST /configs', { body: { name: 'chat', slug: 'chat', config } });
  expect((await list(gateway)).body).toEqual({ object: 'list', total: 0, data: [] });
  // Keys that may not read configs cannot list circuits.
  const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'logs', scopes: ['logs.list'], workspace_id: 'default' },
  });
  await expect.poll(async () => (await callControl(gateway, 'GET /circuits', { key })).status, patience).toBe(403);

  await send(gateway, 'chat');
  const first = async () => (await list(gateway)).body.data[0];
  await expect.poll(first, patience).toMatchObject({
    ...{ object: 'circuit', state: 'closed', config: 'chat', path: '/targets/0', target: 'first' },
    ...{ kind: null, model: null, failures: 1, cause: 'upstream-503', opened_at: null, retry_at: null },
  });
  const sendAndRead = async (): Promise<string> => {
    await send(gateway, 'chat');
    return (await first()).state;
  };
  await expect.poll(sendAndRead, patience).toBe('open');
  // The list is the same, whichever worker answers.
  for (let at = 0; at < 6; at += 1) {
    const { total, data } = (await list(gateway)).body;
    expect({ total, state: data[0].state, failures: data[0].failures }).toEqual({
      total: 1,
      state: 'open',
      failures: 3,
    });
    const { opened_at: since, retry_at: until } = data[0];
    expect(since).toBeGreaterThan(before - 1);
    expect(since).toBeLessThan(Date.now() / 1000 + 1);
    expect(until - since).toBeCloseTo(600, 0);
  }
  expect((await list(gateway, '?config=chat')).body.total).toBe(1);
  expect((await list(gateway, '?config=other')).body.total).toBe(0);
  await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
  // The other worker learns of the workspace a moment later.
  await expect.poll(async () => (await list(gateway, '', 'other')).body.total, patience).toBe(0);
});
