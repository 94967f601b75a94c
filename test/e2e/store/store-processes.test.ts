import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { type Load, steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  adminKey,
  chat,
  chatUpstream,
  control,
  makeKey,
  type NewKey,
  saveChat,
} from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();

const runPrompt = ({ baseUrl }: GatewayProcess, prompt: string, { key }: NewKey): Promise<Response> =>
  fetch(`${baseUrl}/prompts/${prompt}/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': key },
    body: JSON.stringify({ variables: { who: 'Ann' } }),
  });

const readStatus = async (asked: Promise<Response>): Promise<number> => {
  const answer = await asked;
  await answer.text();
  return answer.status;
};

/** Sends a request until it is answered with 200. How soon that must be is tested where a clock can be set. */
const until200 = (ask: () => Promise<Response>): Promise<void> =>
  expect.poll(() => readStatus(ask()), patience).toBe(200);

/** Waits until this many more requests of a load have started and been answered. */
const answersMore = async ({ answers }: Load, count: number): Promise<void> => {
  const from = Date.now();
  await expect.poll(() => answers.filter(({ startedAt }) => startedAt >= from).length, patience).toBeGreaterThan(count);
};

const isRefused = ({ outcome }: Load['answers'][number]): boolean => outcome.startsWith('401 ');

describe.runIf(programs !== undefined)('gateways that share a PostgreSQL', () => {
  let server: PostgresServer;
  let gateways: readonly [GatewayProcess, GatewayProcess];
  const serveBoth = (): Promise<[GatewayProcess, GatewayProcess]> => {
    const env = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    const serve = () => startGateway({ args: ['--store', server.url], env });
    return Promise.all([serve(), serve()]);
  };
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
    gateways = await serveBoth();
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await server.stop();
  });

  it('each reject a revoked key from its first refusal on, under load, and no other key', async () => {
    const upstream = await chatUpstream();
    const [first] = gateways;
    const [revoked, kept] = [await makeKey(first, 'revoked'), await makeKey(first, 'kept')];
    const config = await saveChat(first, { upstream, slug: 'revocation', credential: 'sk' });
    for (const gateway of gateways)
      for (const { key } of [revoked, kept]) await until200(() => chat(gateway, { key, config }));

    const toLoad = ({ key }: NewKey) => gateways.map((gateway) => steadyLoad(() => chat(gateway, { key, config })));
    const [refused, served] = [toLoad(revoked), toLoad(kept)];
    await Promise.all([...refused, ...served].map((load) => answersMore(load, 20)));
    expect([...refused, ...served].flatMap((load) => load.failures())).toEqual([]);
    await control(first, `DELETE /api-keys/${revoked.id}`);
    await Promise.all(refused.map((load) => expect.poll(() => load.answers.some(isRefused), patience).toBe(true)));
    await Promise.all([...refused, ...served].map((load) => answersMore(load, 20)));
    await Promise.all([...refused, ...served].map((load) => load.end()));

    for (const { answers } of refused) {
      const since = Math.min(...answers.filter(isRefused).map(({ endedAt }) => endedAt));
      const later = answers.filter(({ startedAt }) => startedAt > since);
      expect([...new Set(later.map(({ outcome }) => outcome.slice(0, 4)))]).toEqual(['401 ']);
      expect(answers.filter((answer) => answer.outcome !== '200' && !isRefused(answer))).toEqual([]);
    }
    expect(served.flatMap((load) => load.failures())).toEqual([]);
  });

  it('serve what another gateway has created, also after a restart', async () => {
    const upstream = await chatUpstream();
    const [one, other] = gateways;
    const credential = 'sk-shared';
    const key = await makeKey(one, 'shared');
    await until200(() => chat(other, key));
    const config = await saveChat(one, { upstream, slug: 'shared', credential });
    await until200(() => chat(other, { key: key.key, config }));
    const string = '[{ "role": "user", "content": "Greet {{who}}." }]';
    await control(one, 'POST /prompts', {
      body: { name: 'Greet', slug: 'greet', string, parameters: { model: 'm' }, virtual_key: '@shared' },
    });
    await until200(() => runPrompt(other, 'greet', key));

    for (const gateway of [one, other]) gateway.signal('SIGTERM');
    expect(await Promise.all([one.exited, other.exited])).toEqual([0, 0]);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    gateways = await serveBoth();
    for (const again of gateways) {
      expect(await readStatus(chat(again, { key: key.key, config }))).toBe(200);
      expect(await readStatus(runPrompt(again, 'greet', key))).toBe(200);
      expect((await control(again, 'GET /prompts/greet')).slug).toBe('greet');
    }
    expect(upstream.requests.at(-1)?.header('authorization')).toBe(`Bearer ${credential}`);
    expect(upstream.requests.at(-1)?.body.toString()).toContain('Greet Ann.');
  });
});
