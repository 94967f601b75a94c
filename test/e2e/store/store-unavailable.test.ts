import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { type Load, steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  adminKey,
  callControl,
  chat,
  chatUpstream,
  control,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();
const second = 1000;

/** How long the store is unavailable, from the variable `STORE_AWAY_S`: 30 for a thorough run. */
const awayMs = Number(process.env.STORE_AWAY_S ?? 8) * second;
const timeout = 3 * awayMs + 90 * second;

/** How long a request of the control plane may take while the store is unavailable. */
const boundMs = 15 * second;

/**
 * How the store becomes unavailable, and how it comes back. Each sample uses one of these ways for one scenario, and another
 * way for the other.
 */
const ways: readonly (readonly [
  way: string,
  leave: (store: PostgresServer) => unknown,
  comeBack: (store: PostgresServer) => unknown,
])[] = [
  ['is frozen', (store) => store.freeze(), (store) => store.thaw()],
  ['is gone', (store) => store.crash(), (store) => store.start()],
];

const readyPage = ({ origin }: GatewayProcess): Promise<Response> =>
  fetch(`${origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } });

const readiness = async (gateway: GatewayProcess): Promise<string> => {
  const answer = await readyPage(gateway);
  const { status } = (await answer.json()) as { readonly status: string };
  return `${answer.status} ${status}`;
};

/** Returns the status of an answer, within a time limit. */
const triedToMakeKey = async (gateway: GatewayProcess): Promise<number> => {
  const body = { name: 'meanwhile', scopes: ['completions.write'], workspace_id: 'default' };
  const signal = AbortSignal.timeout(boundMs);
  return (await callControl(gateway, 'POST /api-keys/workspace/service', { body, signal })).status;
};

const triedOnce = async (gateway: GatewayProcess): Promise<number> => {
  const call = { body: { name: 'meanwhile' }, idempotencyKey: 'meanwhile', signal: AbortSignal.timeout(boundMs) };
  return (await callControl(gateway, 'POST /collections', call)).status;
};

interface Served {
  readonly gateway: GatewayProcess;
  readonly ask: () => Promise<Response>;
}

const serveChat = async (url: string, staleAuthMs?: number): Promise<Served> => {
  const store = { url: '${env:GW_TEST_STORE}', ...(staleAuthMs === undefined ? {} : { stale_auth_ms: staleAuthMs }) };
  const gateway = await serveStore(url, { files: { 'gateway.json': { store } }, env: { GW_TEST_STORE: url } });
  const { key } = await makeKey(gateway, 'known');
  const config = await saveChat(gateway, { upstream: await chatUpstream(), slug: 'known', credential: 'sk' });
  const ask = (): Promise<Response> => chat(gateway, { key, config });
  await expect.poll(async () => (await ask()).status).toBe(200);
  return { gateway, ask };
};

const outcomesSince = ({ answers }: Load, since: number): readonly string[] => [
  ...new Set(answers.filter(({ startedAt }) => startedAt > since).map(({ outcome }) => outcome.slice(0, 4))),
];

describe.runIf(programs !== undefined)('a gateway whose PostgreSQL', () => {
  let server: PostgresServer;
  beforeEach(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterEach(() => server.stop());

  it.each(ways.filter((_, way) => isSampled(way, 0, ways.length)))(
    '%s serves known keys and configs, and recovers by itself',
    async (_, leave, comeBack) => {
      const { gateway, ask } = await serveChat(server.url);
      expect(await readiness(gateway)).toBe('200 ready');
      const load = steadyLoad(ask);
      const left = Date.now();
      await leave(server);
      const tries = Promise.all([0, 1, 2].map(() => triedToMakeKey(gateway)));
      await setTimeout(awayMs);
      expect(await readiness(gateway)).toBe('200 degraded');
      expect(await triedToMakeKey(gateway)).toBe(503);
      expect(await triedOnce(gateway)).toBe(503);
      expect(await tries).toEqual([503, 503, 503]);
      await comeBack(server);
      await expect.poll(() => readiness(gateway), { timeout: boundMs }).toBe('200 ready');
      await expect.poll(() => triedToMakeKey(gateway), { timeout: boundMs }).toBe(200);
      const { key } = await makeKey(gateway, 'later');
      expect((await chat(gateway, { key })).status).toBe(200);
      await load.end();
      expect(load.failures()).toEqual([]);
      const longest = Math.max(...load.answers.map(({ startedAt, endedAt }) => endedAt - startedAt));
      expect(longest).toBeLessThan(awayMs / 2);
      expect(load.answers.filter(({ startedAt }) => startedAt > left)).not.toEqual([]);
    },
    timeout,
  );

  it.each(ways.filter((_, way) => isSampled(way, 1, ways.length)))(
    '%s for longer than stale_auth_ms rejects all keys until it is back',
    async (_, leave, comeBack) => {
      const staleMs = 2 * second;
      const { gateway, ask } = await serveChat(server.url, staleMs);
      const load = steadyLoad(ask);
      const leftFrom = Date.now();
      await leave(server);
      const leftBy = Date.now();
      await setTimeout(staleMs + 2 * second);
      const stale = Date.now();
      await comeBack(server);
      await expect.poll(async () => (await ask()).status, { timeout: boundMs }).toBe(200);
      const back = Date.now();
      await setTimeout(second);
      await load.end();
      const before = load.answers.filter(({ endedAt }) => endedAt < leftFrom + staleMs - second);
      expect([...new Set(before.map(({ outcome }) => outcome))]).toEqual(['200']);
      const between = load.answers.filter(({ startedAt, endedAt }) => startedAt > leftBy + staleMs && endedAt < stale);
      expect(between).not.toEqual([]);
      expect([...new Set(between.map(({ outcome }) => outcome.slice(0, 4)))]).toEqual(['401 ']);
      expect(outcomesSince(load, back)).toEqual(['200']);
      expect(load.answers.filter(({ outcome }) => !/^(200|401 )/.test(outcome))).toEqual([]);
      expect((await control(gateway, 'GET /configs/known')).slug).toBe('known');
    },
    timeout,
  );

  it('is gone serves workspaces from which this process has never received a request', async () => {
    const { gateway: other } = await serveChat(server.url);
    const upstream = await chatUpstream();
    const settings = { custom_host: `${upstream.origin}/v1` };
    const keys: string[] = [];
    for (const slug of ['one', 'two', 'three']) {
      await control(other, 'POST /workspaces', { body: { name: slug, slug } });
      const named = { name: 'main', slug: 'main' };
      const provider = { ...named, provider: 'openai', credential: { api_key: 'sk' }, settings };
      await control(other, 'POST /providers', { workspace: slug, body: provider });
      const config = { provider: '@main', override_params: { model: 'm' }, retry: { attempts: 0 } };
      await control(other, 'POST /configs', { workspace: slug, body: { ...named, config } });
      const { key = '' } = await control(other, 'POST /api-keys/workspace/service', {
        body: { name: slug, scopes: ['completions.write'], workspace_id: slug },
      });
      keys.push(key);
    }
    const gateway = await serveStore(server.url);
    const statuses = (of: GatewayProcess) =>
      Promise.all(keys.map(async (key) => (await chat(of, { key, config: 'main' })).status));
    for (const each of [gateway, other])
      await expect
        .poll(async () => JSON.parse(await (await readyPage(each)).text()).store.unread_workspaces)
        .toBe(undefined);
    await server.crash();
    const left = Date.now();
    expect(await statuses(gateway)).toEqual([200, 200, 200]);
    // It learned about them while it ran.
    expect(await statuses(other)).toEqual([200, 200, 200]);
    expect(Date.now() - left).toBeLessThan(boundMs);
    expect(upstream.requests).toHaveLength(6);
  });
});
