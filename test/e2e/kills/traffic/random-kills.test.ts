import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patience } from '../../../support/run/patience.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { hasRedis, startRedis } from '../../../support/servers/redis-server.ts';
import { randomRequest } from './support/random-traffic.ts';
import { SentTraffic } from './support/sent-traffic.ts';
import { serveTraffic, type TrafficOptions } from './support/traffic-gateway.ts';

/** How often the gateway is ended, and the number of requests before each: KILLS=20 TRAFFIC_REQUESTS=200 for a thorough run. */
const kills = Number(process.env.KILLS ?? 2);
const requests = Number(process.env.TRAFFIC_REQUESTS ?? 40);
const seed = Number(process.env.TRAFFIC_SEED ?? Date.now() % 2 ** 31);

const sample = <Value>(values: fc.Arbitrary<Value>, count: number): readonly Value[] =>
  fc.sample(values, { seed, numRuns: count });

/** Sends random requests, and ends the gateway at random moments, alternately with SIGKILL and SIGTERM. */
const runRandomly = async (options: TrafficOptions): Promise<void> => {
  const traffic = await serveTraffic(options);
  const asked = sample(randomRequest, kills * requests);
  const moments = sample(
    fc.record({ after: fc.integer({ min: Math.floor(requests / 2), max: requests - 1 }), ms: fc.nat(300) }),
    kills,
  );
  const sent = new SentTraffic(traffic, { hasRedis: options.redis !== undefined });
  for (const [kill, { after, ms }] of moments.entries()) {
    const before = traffic.rows().length;
    const signal = kill % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    for (const [at, request] of asked.slice(kill * requests, (kill + 1) * requests).entries()) {
      sent.send(`${kill}-${at}`, request);
      await setTimeout(request.pauseMs);
      // By then something has ended, and is in the ledger.
      if (at === after) await vi.waitFor(() => expect(traffic.rows().length).toBeGreaterThan(before), patience);
    }
    await setTimeout(ms);
    const there = traffic.rows();
    await traffic.restart(signal);
    await sent.ended(signal);
    await vi.waitFor(() => sent.expectRows(there), patience);
    await vi.waitFor(() => traffic.expectBalance(), patience);
  }
};

// In a sample, exactly one of this file and `killed-traffic.test.ts` has its limits in a Redis.
describe(`random requests with the seed ${seed} to a gateway that is killed meanwhile`, () => {
  it.runIf(isSampled(0, 0, 2) || !hasRedis)(
    'are each recorded once in its ledger, limits and usage, as their providers counted them',
    async () => {
      await runRandomly({});
    },
    60_000 + kills * 60_000,
  );

  it.runIf(isSampled(0, 1, 2) && hasRedis)(
    'are recorded in the same way with its limits in a Redis',
    async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      await runRandomly({ redis: redis.url });
    },
    60_000 + kills * 60_000,
  );
});
