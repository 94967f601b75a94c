import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

const adminKey = 'a-key-of-my-own-with-40-characters-in-it';
const keys = { A: 'sk-first-key-0000001', B: 'sk-revoked-key-000002', C: 'sk-good-key-00000003' };
const postgres = postgresFolder();

describe.each(['SQLite', 'PostgreSQL'])('a pool that is saved in %s', (kind) => {
  const isThere = kind === 'SQLite' || postgres !== undefined;
  const home = temporaryFolder({}, afterAll);
  let database: PostgresServer | undefined;
  let upstream: TestUpstream;
  let gateway: GatewayProcess;
  let used: string[] = [];

  const start = (): Promise<GatewayProcess> =>
    startGateway({
      args: ['--store', database?.url ?? 'gateway.db'],
      files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'] } },
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
      folder: home,
    });

  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${gateway.baseUrl}${path}`, {
      method,
      headers: { 'x-gw-api-key': adminKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const ask = async ({ baseUrl }: GatewayProcess = gateway): Promise<string | null | undefined> => {
    const defaultHeaders = { 'x-gw-api-key': adminKey, 'x-gw-provider': '@main' };
    const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0, defaultHeaders });
    const messages = [{ role: 'user' as const, content: 'Is it so?' }];
    return (await client.chat.completions.create({ model: 'gpt-4o', messages })).choices[0]?.message.content;
  };

  const shownKeys = async (): Promise<readonly object[]> => {
    const { keys: shown } = (await (await send('GET', '/providers/main')).json()) as { readonly keys: object[] };
    return shown;
  };

  beforeAll(async () => {
    if (!isThere) return;
    upstream = await startUpstream((call) => {
      const key = (call.request.header('authorization') ?? '').replace('Bearer ', '');
      used.push(Object.entries(keys).find(([, value]) => value === key)?.[0] ?? key);
      if (key === keys.B)
        call.json(openaiError('Revoked.', 'invalid_request_error', 'invalid_api_key'), { status: 401 });
      else call.json(openaiAnswer({ text: 'Yes.' }));
    });
    if (kind === 'PostgreSQL' && postgres !== undefined) database = await startPostgres(postgres);
    gateway = await start();
    const settings = { custom_host: `${upstream.origin}/v1` };
    const pool = [{ api_key: keys.B, weight: 3 }, { api_key: keys.C }];
    const saved = { name: 'Main', slug: 'main', provider: 'openai', settings, keys: pool, accounts: 'one' };
    expect((await send('POST', '/providers', saved)).status).toBe(200);
  });
  beforeEach(() => {
    used = [];
  });
  afterAll(async () => {
    if (!isThere) return;
    await gateway.stop();
    await upstream.close();
    await database?.stop();
  });

  it.skipIf(!isThere)('serves all requests with the usable key', async () => {
    for (let at = 0; at < 10; at += 1) expect(await ask()).toBe('Yes.');
    expect(used.filter((name) => name === 'B')).toHaveLength(1);
    expect(used.filter((name) => name === 'C')).toHaveLength(10);
  });

  it.skipIf(!isThere)('shows its keys as placeholders, which keep them when a key is added', async () => {
    const shown = await shownKeys();
    expect(shown).toHaveLength(2);
    expect(JSON.stringify(shown)).not.toContain('sk-');
    // The revoked key is still left out, because a pool is identified by its record.
    const more = { keys: [...shown, { api_key: keys.A, weight: 9 }] };
    expect((await send('PUT', '/providers/main', more)).status).toBe(200);
    const usedNext = async (): Promise<readonly string[]> => {
      expect(await ask()).toBe('Yes.');
      return used;
    };
    await expect.poll(usedNext).toContain('A');
    expect(used).not.toContain('B');
  });

  it.skipIf(!isThere)('no longer uses a key that was removed', async () => {
    const [, second, third] = await shownKeys();
    expect((await send('PUT', '/providers/main', { keys: [second, third] })).status).toBe(200);
    expect(await shownKeys()).toHaveLength(2);
    // A new process does not know of any key that is left out.
    await gateway.stop();
    gateway = await start();
    for (let at = 0; at < 10; at += 1) expect(await ask()).toBe('Yes.');
    expect(used).not.toContain('B');
  });

  it.skipIf(!isThere || kind === 'SQLite')('works the same in another process of the store', async () => {
    const other = await start();
    try {
      for (let at = 0; at < 10; at += 1) expect(await ask(other)).toBe('Yes.');
      expect(used.every((name) => name === 'A' || name === 'C')).toBe(true);
    } finally {
      await other.stop();
    }
  });

  it.skipIf(!isThere)("does not show a key in its logs or in the gateway's output", async () => {
    const logs = JSON.stringify(await (await send('GET', '/logs')).json());
    for (const secret of Object.values(keys))
      for (const text of [logs, gateway.printed(), database?.printed() ?? '']) expect(text).not.toContain(secret);
  });
});
