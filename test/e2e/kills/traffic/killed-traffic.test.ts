import { describe, it, onTestFinished } from 'vitest';
import { hasRedis, startRedis } from '../../../support/redis-server.ts';
import { isSampled } from '../../../support/sampled-pairs.ts';
import { continuationScenes } from './support/continuation-scenes.ts';
import { hedgeScenes } from './support/hedge-scenes.ts';
import { killedInTurn, killsMs } from './support/killed-in-turn.ts';

const scenes = [...hedgeScenes, ...continuationScenes];

// Where the one of this file and of `random-kills.test.ts` has its limits in a Redis in a sample, the other has not.
describe('a gateway that is killed with hedges and continued streams under way', () => {
  it.runIf(isSampled(1, 0, 2) || !hasRedis)(
    'has what ended in its ledger, its limits and its usage as providers counted it, once',
    async () => {
      await killedInTurn(scenes);
    },
    killsMs,
  );

  it.runIf(isSampled(1, 1, 2) && hasRedis)(
    'has it so with its limits in a Redis',
    async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      await killedInTurn(scenes, { redis: redis.url });
    },
    killsMs,
  );
});
