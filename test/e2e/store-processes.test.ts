import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../support/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../support/postgres-server.ts';
import { steadyLoad } from '../support/steady-load.ts';
import { chat, chatUpstream, control, makeKey, type NewKey, saveChat, serveStore } from '../support/stored-gateway.ts';

const programs = postgresFolder();
const second = 1000;

const runPrompt = ({ baseUrl }: GatewayProcess, prompt: string, { key }: NewKey): Promise<Response> =>
  fetch(`${baseUrl}/prompts/${prompt}/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key },
    body: JSON.stringify({ variables: { who: 'Ann' } }),
  });

const statusOf = async (asked: Promise<Response>): Promise<number> => {
  const answer = await asked;
  await answer.text();
  return answer.status;
};

/** The milliseconds until a request is answered with 200. */
const until200 = async (ask: () => Promise<Response>): Promise<number> => {
  const start = performance.now();
  while ((await statusOf(ask())) !== 200 && performance.now() - start < 10 * second) await setTimeout(20);
  return performance.now() - start;
};

describe.runIf(programs !== undefined)('gateways on one PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  it('serve within a second what another one has made, and all of it after a restart', async () => {
    const upstream = await chatUpstream();
    const [one, other] = await Promise.all([serveStore(server.url), serveStore(server.url)]);
    const credential = 'sk-shared';
    const key = await makeKey(one, 'shared');
    expect(await until200(() => chat(other, key))).toBeLessThan(second);
    const config = await saveChat(one, { upstream, slug: 'shared', credential });
    expect(await until200(() => chat(other, { key: key.key, config }))).toBeLessThan(second);
    const string = '[{ "role": "user", "content": "Greet {{who}}." }]';
    await control(one, 'POST /prompts', {
      body: { name: 'Greet', slug: 'greet', string, parameters: { model: 'm' }, virtual_key: '@shared' },
    });
    expect(await until200(() => runPrompt(other, 'greet', key))).toBeLessThan(second);

    for (const gateway of [one, other]) gateway.signal('SIGTERM');
    expect(await Promise.all([one.exited, other.exited])).toEqual([0, 0]);
    for (const again of await Promise.all([serveStore(server.url), serveStore(server.url)])) {
      expect(await statusOf(chat(again, { key: key.key, config }))).toBe(200);
      expect(await statusOf(runPrompt(again, 'greet', key))).toBe(200);
      expect((await control(again, 'GET /prompts/greet')).slug).toBe('greet');
    }
    expect(upstream.requests.at(-1)?.header('authorization')).toBe(`Bearer ${credential}`);
    expect(upstream.requests.at(-1)?.body.toString()).toContain('Greet Ann.');
  });

  it('refuse a revoked key within a second, under load, and no other', async () => {
    const upstream = await chatUpstream();
    const gateways = await Promise.all([0, 1, 2].map(() => serveStore(server.url)));
    const [first] = gateways;
    if (first === undefined) throw new Error('There is no gateway.');
    const [revoked, kept] = [await makeKey(first, 'revoked'), await makeKey(first, 'kept')];
    const config = await saveChat(first, { upstream, slug: 'revocation', credential: 'sk' });
    for (const gateway of gateways)
      for (const { key } of [revoked, kept]) await until200(() => chat(gateway, { key, config }));

    const loadOf = ({ key }: NewKey) => gateways.map((gateway) => steadyLoad(() => chat(gateway, { key, config })));
    const [refused, served] = [loadOf(revoked), loadOf(kept)];
    await setTimeout(second);
    expect([...refused, ...served].flatMap((load) => load.failures())).toEqual([]);
    const revokedAt = Date.now();
    await control(first, `DELETE /api-keys/${revoked.id}`);
    await setTimeout(2 * second);
    await Promise.all([...refused, ...served].map((load) => load.end()));

    for (const load of refused) {
      const late = load.answers.filter(({ startedAt }) => startedAt > revokedAt + second);
      expect(late).not.toEqual([]);
      expect([...new Set(late.map(({ outcome }) => outcome.slice(0, 4)))]).toEqual(['401 ']);
    }
    expect(served.flatMap((load) => load.failures())).toEqual([]);
  });
});
