import { expect, it } from 'vitest';
import { type CacheDefinition, defineCache } from '../../../../../plugins/sdk/cache/cache.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const config = { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'simple' } };
const noCache = 'must return a cache with the functions "read" and "write", and must not be async.';

const creating = (create: unknown): CacheDefinition =>
  defineCache({ mode: 'simple', create: create as CacheDefinition['create'] });

it.each([
  [
    'throws: nothing at ….',
    ({ url = '' }) => {
      throw new Error(`nothing at ${url}`);
    },
  ],
  [noCache, () => undefined],
  [noCache, () => ({ read: () => ({ kind: 'miss' }) })],
  [noCache, async () => ({ read: () => ({ kind: 'miss' }), write: async () => {} })],
])('names the cache whose "create" %s', (why, create) => {
  const cache = { url: 'redis://user:a-password@cache.example' };
  const linking = () => runConfig(config, { upstream: () => stubAnswer({}), caches: [creating(create)], cache });
  expect(linking).toThrow(`"create" of the cache mode "simple" ${why}`);
});
