import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PostgresServer } from '../../support/servers/postgres-server.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { makePolicy, toSum } from '../limits/support/limited-gateway.ts';
import { batchClient, toIds, toLines } from './support/batch-client.ts';
import { answerSlowly, batchProcesses, hasPostgres, lineCost } from './support/batch-processes.ts';

/** How long something is unavailable, from the variable `BATCH_AWAY_S`. 20 seconds are longer than a lease. */
const { BATCH_AWAY_S: seconds } = process.env;
const awayMs = Number(seconds ?? 1) * 1000;

/** All kinds of outage in a thorough run, otherwise the first. */
const some = <Way>(ways: readonly Way[]): readonly Way[] => (seconds === undefined ? ways.slice(0, 1) : ways);

const count = Number(process.env.BATCH_LINES ?? 200);
const timeout = 10 * 60_000;

interface Outage<Server> {
  leave(server: Server): unknown;
  comeBack(server: Server): unknown;
}

const ofPostgres: readonly (readonly [string, Outage<PostgresServer>])[] = [
  ['is frozen', { leave: (server) => server.freeze(), comeBack: (server) => server.thaw() }],
  ['is killed', { leave: (server) => server.crash(), comeBack: (server) => server.start() }],
];

const ofRedis: readonly (readonly [string, Outage<RedisServer>])[] = [
  ['is frozen', { leave: (server) => server.signal('SIGSTOP'), comeBack: (server) => server.signal('SIGCONT') }],
  ['is killed', { leave: (server) => server.kill(), comeBack: (server) => server.restart() }],
];

describe.runIf(hasPostgres)('a batch of two gateways whose PostgreSQL', () => {
  it.each(some(ofPostgres))(
    '%s continues: no line is lost or has two results, and each answer is in the ledger',
    async (_, { leave, comeBack }) => {
      const { server, upstream, start, booked } = await batchProcesses(answerSlowly);
      await start();
      const gateway = await start();
      const { upload, create, get, over, readFiles } = batchClient(() => gateway);
      const { id } = await create(await upload(toLines(count)));
      await expect.poll(async () => (await get(id)).request_counts.completed, { timeout }).toBeGreaterThan(count / 5);
      await leave(server);
      await setTimeout(awayMs);
      await comeBack(server);
      await expect.poll(async () => (await get(id).catch(() => undefined))?.id).toBe(id);
      const batch = await over(id, { count, timeout });
      expect(batch.status).toBe('completed');
      await readFiles(batch, toIds(count));
      expect(Math.round(batch.cost * 1e9)).toBe(count * lineCost);
      const sent = upstream.requests.length;
      const all = { lines: count, reported: sent, nanoUsd: sent * lineCost };
      await expect.poll(() => booked(id), { timeout: 60_000 }).toEqual(all);
    },
    timeout,
  );
});

describe.runIf(hasPostgres && hasRedis)('a batch of two gateways that count in a Redis which', () => {
  it.each(some(ofRedis))(
    '%s continues, and each answer is in the ledger and in the counter',
    async (_, { leave, comeBack }) => {
      const redis = await startRedis('durable');
      onTestFinished(() => redis.stop());
      const { upstream, start, booked } = await batchProcesses(answerSlowly, { limits: { url: redis.url } });
      const [one, other] = [await start(), await start()];
      const policy = await makePolicy(one, 'usage-limits', { type: 'cost', credit_limit: 1_000_000 });
      const { upload, create, get, over, readFiles } = batchClient(() => other);
      const { id } = await create(await upload(toLines(count)));
      await expect.poll(async () => (await get(id)).request_counts.completed, { timeout }).toBeGreaterThan(count / 5);
      await leave(redis);
      await setTimeout(awayMs);
      await comeBack(redis);
      const batch = await over(id, { count, timeout });
      expect(batch).toMatchObject({ status: 'completed', request_counts: { total: count, completed: count } });
      await readFiles(batch, toIds(count));
      expect(Math.round(batch.cost * 1e9)).toBe(count * lineCost);
      expect(upstream.requests.length).toBe(count);
      const all = { lines: count, reported: count, nanoUsd: count * lineCost };
      await expect.poll(() => booked(id), { timeout: 60_000 }).toEqual(all);
      await expect.poll(() => toSum(one, policy), { timeout: 60_000 }).toBeCloseTo((count * lineCost) / 1e9, 6);
    },
    timeout,
  );
});

type Answer = (call: UpstreamCall) => void | Promise<void>;

/** The ways in which a provider is unavailable. */
const ofProvider: readonly (readonly [string, Answer])[] = [
  ['resets connections', (call) => call.cut('reset')],
  ['answers 500', (call) => call.json({ error: { message: 'It failed.', type: 'server_error' } }, { status: 500 })],
  [
    'answers 503 with retry-after',
    (call) => call.json({ error: { message: 'Wait.' } }, { status: 503, headers: { 'retry-after': '1' } }),
  ],
  [
    'hangs, and then resets connections',
    async (call) => {
      await setTimeout(awayMs);
      call.cut('reset');
    },
  ],
];

describe.runIf(hasPostgres)('a batch whose provider', () => {
  it.each(some(ofProvider))(
    '%s continues when it is back: each line has one result, and each answer is in the ledger',
    async (_, away) => {
      let isUnavailable = false;
      let answered = 0;
      const { start, booked } = await batchProcesses(async (call) => {
        if (isUnavailable) return away(call);
        await answerSlowly(call);
        answered += 1;
      });
      const gateway = await start();
      const { upload, create, get, over, readFiles } = batchClient(() => gateway);
      const { id } = await create(await upload(toLines(count)));
      await expect.poll(async () => (await get(id)).request_counts.completed, { timeout }).toBeGreaterThan(count / 5);
      isUnavailable = true;
      await setTimeout(awayMs);
      isUnavailable = false;
      const batch = await over(id, { count, timeout });
      expect(batch.status).toBe('completed');
      const { output } = await readFiles(batch, toIds(count));
      expect(output.length).toBe(answered);
      // Attempts that broke off may have cost something, which is estimated.
      expect(Math.round(batch.cost * 1e9)).toBeGreaterThanOrEqual(answered * lineCost);
      await expect
        .poll(() => booked(id), { timeout })
        .toEqual({ lines: count, reported: answered, nanoUsd: answered * lineCost });
    },
    timeout,
  );
});
