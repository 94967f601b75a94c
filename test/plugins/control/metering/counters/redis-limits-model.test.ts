import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { lawRuns, slowLawMs } from '../../../../support/run/law-runs.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../../support/servers/redis-server.ts';
import { checkAgainstModel, someSteps } from './support/check-against-model.ts';
import { redisWorld } from './support/redis-world.ts';

/** Each run opens connections. */
const numRuns = Math.max(10, Math.ceil(lawRuns.numRuns / 40));

describe.skipIf(!hasRedis)('counters in Redis (skipped if there is no redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it(
    'match the model and the sums of their postings',
    async () => {
      await fc.assert(
        fc.asyncProperty(someSteps, async (steps) => {
          await using world = await redisWorld(server.url);
          await checkAgainstModel(world, steps);
        }),
        { ...lawRuns, numRuns },
      );
    },
    slowLawMs,
  );
});
