import { describe, it, onTestFinished } from 'vitest';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { hasRedis, startRedis } from '../../../support/servers/redis-server.ts';
import { continuationScenes } from './support/continuation-scenes.ts';
import { hedgeScenes } from './support/hedge-scenes.ts';
import { killedInTurn, killsMs } from './support/killed-in-turn.ts';

const scenes = [...hedgeScenes, ...continuationScenes];

// In a sample, exactly one of this file and `random-kills.test.ts` has its limits in a Redis.
describe('a gateway that is killed during hedges and continued streams', () => {
  it.runIf(isSampled(1, 0, 2) || !hasRedis)(
    'records each ended call once in its ledger, limits and usage, as the provider counted it',
    async () => {
      await killedInTurn(scenes);
    },
    killsMs,
  );

  it.runIf(isSampled(1, 1, 2) && hasRedis)(
    'does the same with its limits in a Redis',
    async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      await killedInTurn(scenes, { redis: redis.url });
    },
    killsMs,
  );
});
