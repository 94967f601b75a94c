import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fromEntryBytes, toEntryBytes } from '../../../plugins/caches/redis/entry-bytes.ts';
import { neededInCache, redisCache } from '../../../plugins/caches/redis/redis-cache.ts';
import type { CacheEntry, ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import { neverCancelled } from '../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { testCache } from '../../../plugins/testkit/test-cache.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { cacheEntry, sampleKey } from '../../support/in-process/cache-samples.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';

/** Waits for the connection, because commands are rejected until it is open. */
const ready = async (cache: ResponseCache): Promise<ResponseCache> => {
  const isReady = (): Promise<boolean> =>
    Promise.resolve(cache.read(sampleKey('ready'))).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) await new Promise((resolve) => setImmediate(resolve));
  return cache;
};

describe.skipIf(!hasRedis)('the Redis cache (skipped if there is no redis-server)', () => {
  let server: RedisServer;
  let direct: Redis;
  const opened: ResponseCache[] = [];
  const open = async (): Promise<ResponseCache> => {
    const cache = await ready(redisCache(server.url, systemClock));
    opened.push(cache);
    return cache;
  };
  beforeAll(async () => {
    server = await startRedis();
    direct = new Redis(server.url);
  });
  afterAll(async () => {
    await Promise.all(opened.map((cache) => cache.close?.()));
    direct.disconnect();
    await server.stop();
  });

  it('keeps the contract of caches that processes share', () => testCache('redis', { open, isShared: true }));

  it('needs the commands and the keys that gw doctor examines, and no others', async () => {
    const { commands, keys } = neededInCache();
    const patterns = keys.map((key) => `~${key.replace(/[^:]+$/, '*')}`);
    // The client itself asks for the state of the server.
    const allowed = [...commands, 'info', 'ping'].map((name) => `+${name}`);
    await direct.call('ACL', 'SETUSER', 'cache', 'on', '>word', '-@all', ...allowed, ...patterns);
    const openAllowed = async (): Promise<ResponseCache> => {
      const cache = await ready(redisCache(server.url.replace('redis://', 'redis://cache:word@'), systemClock));
      opened.push(cache);
      return cache;
    };
    await testCache('redis', { open: openAllowed, isShared: true });
    // A lease this short is renewed at once.
    const claim = await (await openAllowed()).claim?.(sampleKey('renewed'), 60);
    const unused = async (): Promise<readonly string[]> => {
      const used = String(await direct.call('INFO', 'commandstats'));
      return commands.filter((name) => !used.includes(`cmdstat_${name}:`));
    };
    await expect.poll(unused).toEqual([]);
    if (claim?.lead === true) claim.release();
    expect(String(await direct.call('ACL', 'LOG'))).toBe('');
  });

  it('sets a time to live for each entry, and one for each lease so that a dead process loses it', async () => {
    const cache = await open();
    const key = sampleKey('timed');
    await cache.write(key, cacheEntry('x'), 60);
    const claim = await cache.claim?.(key, 5000);
    const entryTtl = await direct.ttl(`gatewright:cache:1:${key.id}`);
    const leaseTtl = await direct.pttl(`gatewright:lease:1:${key.id}`);
    expect([entryTtl > 55 && entryTtl <= 60, leaseTtl > 3000 && leaseTtl <= 5000]).toEqual([true, true]);
    if (claim?.lead === true) claim.release();
  });

  it('renews the lease of a slow leader until it is released', async () => {
    const clock = createVirtualClock();
    const cache = await ready(redisCache(server.url, clock));
    opened.push(cache);
    const key = sampleKey('long');
    const lease = `gatewright:lease:1:${key.id}`;
    const claim = await cache.claim?.(key, 9000);
    for (let round = 0; round < 3; round += 1) {
      await direct.pexpire(lease, 1000);
      clock.advance(3000);
      // The commands of a connection run in order, so the renewal is done when this one is.
      await cache.read(key);
      expect(await direct.pttl(lease)).toBeGreaterThan(5000);
    }
    if (claim?.lead === true) claim.release();
    await cache.read(key);
    expect([await direct.exists(lease), clock.pending]).toEqual([0, 0]);
  });

  it('gives waiting requests what the leader writes, and not an entry that was too old for them', async () => {
    const [leading, waiting] = [await open(), await open()];
    const sample = sampleKey('old');
    const isFresh = ({ body }: CacheEntry): boolean => Buffer.from(body).toString() !== 'old';
    const key = { ...sample, request: { ...sample.request, isFresh } };
    await leading.write(key, cacheEntry('old'), 60);
    const [lead, waits] = [await leading.claim?.(key, 5000), await waiting.claim?.(key, 5000)];
    if (lead?.lead !== true || waits?.lead !== false) throw new Error('Not exactly the first one leads.');
    const found = waits.entry(neverCancelled);
    // The commands of a connection run in order, so its first look-up is done when this one is.
    await waiting.read(key);
    await leading.write(key, cacheEntry('new'), 60);
    lead.release();
    expect(Buffer.from((await found)?.body ?? '').toString()).toBe('new');
  });

  it('rejects with what to do if Redis refuses a command, and without what was sent', async () => {
    const renamed = await startRedis('volatile', ['--rename-command', 'SET', '']);
    onTestFinished(() => renamed.stop());
    const cache = await ready(redisCache(renamed.url, systemClock));
    onTestFinished(() => cache.close?.());
    const text = await Promise.resolve(cache.write(sampleKey('refused'), cacheEntry('private'), 60)).then(
      String,
      String,
    );
    expect(text).toMatch(/^Error: Redis cannot be used \(it does not know a command of the gateway\)\. Upgrade it/);
    expect(text).not.toContain('private');
  });

  it('reads a foreign value as a miss', async () => {
    const cache = await open();
    const key = sampleKey('foreign');
    await direct.set(`gatewright:cache:1:${key.id}`, 'something else');
    expect(await cache.read(key)).toEqual({ kind: 'miss' });
  });
});

describe('an encoded entry', () => {
  it('is not decoded if a byte of its head is missing or its format differs', () => {
    const bytes = toEntryBytes(cacheEntry('body'));
    expect(fromEntryBytes(bytes)).toEqual(cacheEntry('body'));
    const headEnd = bytes.length - 'body'.length;
    for (let length = 0; length < headEnd; length += 1)
      expect(fromEntryBytes(bytes.subarray(0, length))).toBeUndefined();
    bytes[0] = 2;
    expect(fromEntryBytes(bytes)).toBeUndefined();
  });
});
