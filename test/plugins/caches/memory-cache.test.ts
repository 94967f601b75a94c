import { describe, expect, it } from 'vitest';
import { memoryCache } from '../../../plugins/caches/memory-cache.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { testCache } from '../../../plugins/testkit/test-cache.ts';
import { cacheEntry, sampleKey } from '../../support/in-process/cache-samples.ts';

const mebibyte = 1024 * 1024;

describe('the in-memory cache', () => {
  it('keeps the cache contract', async () => {
    const clock = createVirtualClock();
    const open = () => memoryCache({ maxBytes: mebibyte }, clock);
    await testCache('memory', { open, pass: (seconds) => clock.advance(seconds * 1000) });
  });

  it('evicts the least recently used entries and stays within its byte limit', async () => {
    const cache = memoryCache({ maxBytes: mebibyte }, createVirtualClock());
    const body = Buffer.alloc(mebibyte / 16);
    const names = Array.from({ length: 40 }, (_, at) => `entry ${at}`);
    for (const name of names) {
      await cache.write(sampleKey(name), cacheEntry(body), 60);
      await cache.read(sampleKey('entry 0'));
    }
    const kept: string[] = [];
    for (const name of names) if ((await cache.read(sampleKey(name))).kind === 'hit') kept.push(name);
    expect(kept).toEqual(['entry 0', ...names.slice(-14)]);
  });

  it('keeps the entries of a tenant while another stores more than there is room for', async () => {
    const cache = memoryCache({ maxBytes: mebibyte }, createVirtualClock());
    const body = Buffer.alloc(mebibyte / 16);
    const quiet = Array.from({ length: 7 }, (_, at) => sampleKey(`quiet ${at}`, 'quiet'));
    for (const key of quiet) await cache.write(key, cacheEntry(body), 60);
    for (let at = 0; at < 100; at += 1) await cache.write(sampleKey(`busy ${at}`, 'busy'), cacheEntry(body), 60);
    const found = await Promise.all(quiet.map(async (key) => (await cache.read(key)).kind));
    expect(found).toEqual(quiet.map(() => 'hit'));
    expect((await cache.read(sampleKey('busy 99', 'busy'))).kind).toBe('hit');
  });

  it('does not store an entry larger than a tenth of its limit', async () => {
    const cache = memoryCache({ maxBytes: mebibyte }, createVirtualClock());
    await cache.write(sampleKey('large'), cacheEntry(Buffer.alloc(mebibyte / 10)), 60);
    expect(await cache.read(sampleKey('large'))).toEqual({ kind: 'miss' });
  });
});
