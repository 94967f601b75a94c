import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { openRedisLimits } from '../../../plugins/control/metering/counters/redis/open-redis-limits.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import {
  ask,
  asked,
  gatewayFile,
  makePolicy,
  type Script,
  saveTarget,
  scriptedUpstream,
  serveLimited,
  toSum,
} from './support/limited-gateway.ts';

/** The sizes of the run. A long one: GW_LIMITS_CLIENTS=200 GW_LIMITS_OUTAGE_MS=5000 GW_LIMITS_CALM_MS=5000 */
const clients = Number(process.env.GW_LIMITS_CLIENTS ?? 10);
const outageMs = Number(process.env.GW_LIMITS_OUTAGE_MS ?? 600);
const calmMs = Number(process.env.GW_LIMITS_CALM_MS ?? 500);

const programs = postgresFolder();
const longMs = 150_000 + 20 * (outageMs + calmMs);

/** Returns a generator of numbers between 0 and 1 that are the same in each run. */
const draws = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const maxOutput = 60;
const maxInput = 30;

interface Load {
  readonly outcomes: ReadonlyMap<string, number>;
  end(): Promise<void>;
}

/** Starts clients that send random requests to random gateways. Some clients disconnect. */
const load = (gateways: readonly GatewayProcess[], key: string): Load => {
  const outcomes = new Map<string, number>();
  let isOn = true;
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const once = async (draw: () => number): Promise<void> => {
    const gateway = gateways[Math.floor(draw() * gateways.length)];
    if (gateway === undefined) return;
    const script: Script = {
      ...{ input: Math.ceil(draw() * maxInput), output: Math.ceil(draw() * maxOutput), pieces: 3 },
      ...{ waitMs: Math.floor(draw() * 30), withUsage: draw() > 0.1, end: draw() > 0.1 ? 'done' : 'cut' },
    };
    const leaving = new AbortController();
    const isLeaving = draw() < 0.1;
    const metadata = { _user: draw() < 0.5 ? 'small' : 'big' };
    try {
      const options = { key, stream: draw() < 0.5, maxTokens: maxOutput, metadata, signal: leaving.signal };
      const asking = ask(gateway, script, options);
      // It may fail before it is awaited.
      asking.catch(() => {});
      if (isLeaving) {
        await setTimeout(draw() * 40);
        leaving.abort();
      }
      const answer = await asking;
      await answer.text();
      count(String(answer.status));
    } catch {
      count(isLeaving ? 'left' : 'broken');
    }
  };
  const lanes = Array.from({ length: clients }, async (_, at) => {
    const draw = draws(at + 1);
    while (isOn) {
      await once(draw);
      await setTimeout(5);
    }
  });
  return {
    outcomes,
    async end() {
      isOn = false;
      await Promise.all(lanes);
    },
  };
};

describe.runIf(programs !== undefined && hasRedis)('gateways that share a PostgreSQL and a Redis', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? '');
  });
  afterAll(() => postgres.stop());

  const ownRedis = async (): Promise<RedisServer> => {
    const redis = await startRedis('durable');
    onTestFinished(() => redis.stop());
    return redis;
  };

  const file = { ...gatewayFile, store: { url: '${env:STORE_URL}', limits: { url: '${env:LIMITS_URL}' } } };

  /** Starts the gateways. The first one creates the tables. */
  const serveAll = async (redis: RedisServer, count: number): Promise<readonly GatewayProcess[]> => {
    const serve = () =>
      serveLimited(postgres.url, {
        files: { 'gateway.json': file },
        env: { STORE_URL: postgres.url, LIMITS_URL: redis.url },
      });
    const first = await serve();
    return [first, ...(await Promise.all(Array.from({ length: count - 1 }, serve)))];
  };

  it(
    'enforce a limit together, and count exactly what the ledger records, whichever process ends meanwhile',
    async () => {
      const upstream = await scriptedUpstream();
      const redis = await ownRedis();
      const gateways = await serveAll(redis, 3);
      const [first, , last] = gateways;
      if (first === undefined || last === undefined) throw new Error('There are no gateways.');
      await saveTarget(first, { upstream });
      const { key } = await makeKey(first, 'shared');
      const grouped = { group_by: [{ key: 'metadata._user' }], if_unknown: 'refuse', type: 'tokens' };
      const all = await makePolicy(first, 'usage-limits', { ...grouped, credit_limit: 1_000_000_000 });
      const small = await makePolicy(first, 'usage-limits', {
        ...{ ...grouped, credit_limit: 2000, conditions: [{ key: 'metadata._user', value: 'small' }] },
      });
      for (const gateway of gateways)
        await vi.waitFor(async () => expect((await asked(gateway, {}, { key })).status).toBe(200), patience);

      const running = load(gateways, key);
      await setTimeout(calmMs);
      last.signal('SIGKILL');
      await setTimeout(calmMs);
      await redis.kill();
      await setTimeout(outageMs);
      await redis.restart();
      await setTimeout(calmMs);
      redis.signal('SIGSTOP');
      await setTimeout(outageMs);
      redis.signal('SIGCONT');
      await setTimeout(calmMs);
      const full = (): number => (running.outcomes.get('412') ?? 0) + (running.outcomes.get('429') ?? 0);
      await vi.waitFor(() => expect(full()).toBeGreaterThan(0), patience);
      await running.end();
      expect(
        [...running.outcomes.keys()].filter((each) => !['200', '412', '429', '503', 'left', 'broken'].includes(each)),
      ).toEqual([]);
      expect(running.outcomes.get('200') ?? 0).toBeGreaterThan(0);
      expect(running.outcomes.get('503') ?? 0).toBeGreaterThan(0);

      for (const gateway of gateways) gateway.signal('SIGTERM');
      await Promise.all(gateways.map(({ exited }) => exited));

      const store = await openStore({ url: postgres.url });
      onTestFinished(() => store.close());
      const charges = await store.db
        .selectFrom('ledger_charges')
        .select(['policy', 'bucket', ({ fn }) => fn.sum('amount').as('sum')])
        .groupBy(['policy', 'bucket'])
        .execute();
      const ofPolicy = (policy: string) => charges.filter((each) => each.policy === policy);
      const { value } = await store.db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', 'limits-counters')
        .executeTakeFirstOrThrow();
      const late: object[] = [];
      const limits = await openRedisLimits({
        ...{ url: redis.url, namespace: JSON.parse(value), clock: systemClock, say: () => {} },
        ...{
          sums: async () => [],
          readEntry: () => ({}),
          writeEntry: () => ({ own: '{', shared: '}' }),
          commandMs: 5000,
        },
        postings: { post: (some) => void late.push(...some) },
      });
      onTestFinished(() => limits.close());
      const rows = [...ofPolicy(all), ...ofPolicy(small)];
      expect(rows.map(({ bucket }) => bucket).sort()).toEqual([
        'metadata._user:big',
        'metadata._user:small',
        'metadata._user:small',
      ]);
      const states = await limits.read(
        rows.map(({ policy, bucket }) => ({ policy, bucket, limit: 0, reset: { every: 'never' } })),
      );
      expect(states.map(({ used }) => used)).toEqual(rows.map(({ sum }) => Number(sum)));
      expect(late).toEqual([]);

      // Limits cover every attempt, so the tokens in the ledger are those of the charges.
      const { tokens } = await store.db
        .selectFrom('ledger')
        .select(({ fn, eb }) => fn.sum(eb('input_tokens', '+', eb.ref('output_tokens'))).as('tokens'))
        .where('metadata', 'like', '%_user%')
        .executeTakeFirstOrThrow();
      const sums = ofPolicy(all).reduce((sum, each) => sum + Number(each.sum), 0);
      expect(Number(tokens)).toBe(sums);

      // A request in flight reserves what its model usually reads, which may be less than it reads this time.
      const [used = 0] = ofPolicy(small).map(({ sum }) => Number(sum));
      expect(used).toBeGreaterThan(0);
      expect(used).toBeLessThanOrEqual(2000 + (clients + 1) * (maxInput + maxOutput));
    },
    longMs,
  );

  it('apply a changed limit within a second, and report unavailable counters in /readyz', async () => {
    const upstream = await scriptedUpstream();
    const redis = await ownRedis();
    const gateways = await serveAll(redis, 2);
    const [one, other] = gateways;
    if (one === undefined || other === undefined) throw new Error('There are no gateways.');
    await saveTarget(one, { upstream, slug: 'changing' });
    const { id, key } = await makeKey(one, 'changing');
    const refused = async (): Promise<number> =>
      (await asked(other, { input: 1 }, { key, provider: '@changing' })).status;
    await vi.waitFor(async () => expect(await refused()).toBe(200), patience);
    const start = performance.now();
    await control(one, `PUT /api-keys/${id}`, { body: { usage_limits: { credit_limit: 0, type: 'tokens' } } });
    await vi.waitFor(async () => expect(await refused()).toBe(412), { ...patience, interval: 20 });
    expect(performance.now() - start).toBeLessThan(5000);
    expect(await toSum(one, await makePolicy(one, 'usage-limits', { type: 'tokens', credit_limit: 5 }))).toBe(0);

    const readiness = async (): Promise<unknown> => (await fetch(`${one.origin}/readyz`)).json();
    await redis.kill();
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'degraded' }), patience);
    await redis.restart();
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'ready' }), patience);
  });
});
