import { expect, it } from 'vitest';
import { defineCache } from '../../../../../plugins/sdk/cache/cache.ts';
import type { TrailEvent } from '../../../../../schema/trail/trail.ts';
import { cacheEntry } from '../../../../support/in-process/cache-samples.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

interface Given {
  readonly similarity?: number;
  /** The age of the cached answer, in seconds; absent if there is none. */
  readonly ageS?: number;
}

/** Returns the trail, without attempts, of a request to a cache that finds this. */
const trailOf = async ({ ageS, ...found }: Given, params: object): Promise<readonly TrailEvent[]> => {
  const semantic = defineCache({
    mode: 'semantic',
    create: (_, { timers }) => ({
      read() {
        if (ageS === undefined) return { kind: 'miss', similar: true, ...found };
        const entry = { ...cacheEntry('{}'), storedAt: timers.wall() - ageS * 1000 };
        return { kind: 'hit', entry, similar: true, ...found };
      },
      async write() {},
    }),
  });
  const config = { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'semantic', max_age: 60 } };
  const upstream = () => stubAnswer({ id: 'a', object: 'chat.completion', model: 'm', choices: [] });
  const { handle } = runConfig(config, { upstream, caches: [semantic] });
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...params };
  const exchange = sampleExchange(body, { trail: [] });
  await handle(exchange);
  return exchange.trail.filter(({ kind }) => kind !== 'attempted');
};

it.each([{}, { stream: true }])(
  'records in the trail how similar the question of the cached answer is: %j',
  async (params) => {
    const cached = { kind: 'cached', path: '', status: 'SEMANTIC HIT', ageS: 1 };
    expect(await trailOf({ ageS: 1, similarity: 0.97318 }, params)).toEqual([{ ...cached, similarity: 0.9732 }]);
    expect(await trailOf({ ageS: 1 }, params)).toEqual([cached]);
  },
);

it.each([{}, { stream: true }])('records in the trail how similar the nearest question was: %j', async (params) => {
  expect(await trailOf({ similarity: 0.91 }, params)).toEqual([{ kind: 'missed', path: '', similarity: 0.91 }]);
  expect(await trailOf({}, params)).toEqual([]);
});

it('records no near miss in the trail if the answer to a similar question is too old', async () => {
  expect(await trailOf({ ageS: 60, similarity: 0.97 }, {})).toEqual([]);
});
