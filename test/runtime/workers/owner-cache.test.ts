import { expect, it } from 'vitest';
import { memoryCache } from '../../../plugins/caches/memory-cache.ts';
import { memoryVectors } from '../../../plugins/caches/semantic/memory-vectors.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { testCache } from '../../../plugins/testkit/test-cache.ts';
import { ownerCache } from '../../../runtime/workers/owner-cache.ts';
import { SharedState } from '../../../runtime/workers/owner-process/shared-state.ts';
import { cacheEntry, sampleKey } from '../../support/in-process/cache-samples.ts';

const maxBytes = 1024 * 1024;

type Call = (argument: unknown) => unknown;

/** Creates the state of an owner. Each call of the returned function creates the cache of another worker. */
const openOwner = (clock = createVirtualClock()) => {
  const cache = memoryCache({ maxBytes }, clock);
  const shared = new SharedState({ clock, cache, vectors: memoryVectors({ maxBytes }, clock), workers: () => [] });
  let workers = 0;
  return () => {
    workers += 1;
    const calls = shared.calls(workers);
    // As between two processes, only data is passed.
    const call = async (name: string, argument: unknown) =>
      structuredClone(await (calls[name as keyof typeof calls] as Call)(structuredClone(argument)));
    return ownerCache({
      ask: (name, argument) => call(name, argument) as never,
      notify: (name, argument) => void call(name, argument),
    });
  };
};

it('answers of the process that owns the workers keep the cache contract', async () => {
  const clock = createVirtualClock();
  await testCache('owner', {
    open: openOwner(clock),
    isShared: true,
    pass: (seconds) => clock.advance(seconds * 1000),
  });
});

it('answers of a tenant stay there while another tenant stores more than there is room for', async () => {
  const cache = openOwner()();
  const body = Buffer.alloc(maxBytes / 16);
  const quiet = sampleKey('quiet', 'quiet');
  await cache.write(quiet, cacheEntry(body), 60);
  for (let at = 0; at < 40; at += 1) await cache.write(sampleKey(`busy ${at}`, 'busy'), cacheEntry(body), 60);
  expect((await cache.read(quiet)).kind).toBe('hit');
  expect((await cache.read(sampleKey('busy 0', 'busy'))).kind).toBe('miss');
});
