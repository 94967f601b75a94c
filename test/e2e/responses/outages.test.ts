import { setTimeout } from 'node:timers/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';

const programs = postgresFolder();

/** How long the store is unavailable, from the variable `RESPONSE_AWAY_S`. 20 seconds are longer than a lease. */
const { RESPONSE_AWAY_S: seconds } = process.env;
const awayMs = Number(seconds ?? 1) * 1000;
const lease = 15_000;

const words = 'One two three four five six seven eight nine ten.';
const frames = anthropicStream({ text: words });

let server: PostgresServer;
let first: GatewayProcess;

const start = (): Promise<GatewayProcess> =>
  startGateway({
    args: ['--store', server.url],
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });

/** Returns how many provider calls the ledger has. */
const readReported = async (): Promise<number> => {
  const { db, close } = await openStore({ url: server.url });
  const rows = await db.selectFrom('ledger').select('id').where('kind', '=', 'reported').execute();
  await close();
  return rows.length;
};

/** Starts a background response that takes a while, at a provider with this name, and returns what became of it. */
const slowResponse = async (name: string) => {
  const before = await readReported();
  let sent = 0;
  const upstream = await startUpstream(async (call) => {
    const stream = call.sse();
    for (const frame of frames) {
      stream.send(frame);
      sent += 1;
      await setTimeout(150);
    }
    stream.end();
  });
  onTestFinished(() => upstream.close());
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(first, 'POST /providers', {
    body: { name, slug: name, provider: 'anthropic', credential: { api_key: 'sk-a' }, settings },
  });
  const { key: apiKey = '' } = await control(first, 'POST /api-keys/workspace/service', {
    body: { name: 'app', scopes: ['completions.write'], workspace_id: 'default' },
  });
  const toClient = ({ baseUrl: baseURL }: GatewayProcess): OpenAI =>
    new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders: { 'x-gw-provider': `@${name}` } });
  const { id } = await toClient(first).responses.create({ model: 'm', input: 'Count.', background: true });
  await expect.poll(() => sent).toBeGreaterThan(2);
  return {
    upstream,
    /** Returns the response from a gateway when it has ended, and checks that its events are in order. */
    async ended(gateway: GatewayProcess) {
      const client = toClient(gateway);
      const status = async () => (await client.responses.retrieve(id).catch(() => undefined))?.status;
      await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe('completed');
      const numbers: number[] = [];
      for await (const event of await client.responses.retrieve(id, { stream: true }))
        numbers.push(event.sequence_number);
      expect(numbers).toEqual(Array.from(numbers, (_, at) => at));
      return (await client.responses.retrieve(id)).output_text.trim();
    },
    reported: async () => (await readReported()) - before,
  };
};

type Outage = readonly [string, (server: PostgresServer) => unknown, (server: PostgresServer) => unknown];

const outages: readonly Outage[] = [
  ['is killed', (server) => server.crash(), (server) => server.start()],
  ['is frozen', (server) => server.freeze(), (server) => server.thaw()],
];

describe.runIf(programs !== undefined)('a background response', () => {
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
    first = await start();
  });
  afterAll(async () => {
    await first.stop();
    await server.stop();
  });

  it.each(seconds === undefined ? outages.slice(0, 1) : outages)(
    'is requested once and complete even if its PostgreSQL %s for a moment',
    async (how, leave, comeBack) => {
      const { upstream, ended, reported } = await slowResponse(how.replace(/\W/, '-'));
      await leave(server);
      await setTimeout(awayMs);
      await comeBack(server);
      expect(await ended(first)).toBe(words);
      // After the lease ends nobody owns the response, so it is created again.
      if (awayMs < lease) expect(upstream.requests.length).toBe(1);
      expect(await reported()).toBe(upstream.requests.length);
    },
    120_000,
  );

  it('is created by another gateway if its own is killed, and its usage is in the ledger when it is available', async () => {
    const { upstream, ended, reported } = await slowResponse('of-the-killed');
    first.signal('SIGKILL');
    const other = await start();
    onTestFinished(() => other.stop());
    expect(await ended(other)).toBe(words);
    expect(upstream.requests.length).toBe(2);
    expect(await reported()).toBe(1);
  }, 120_000);
});
