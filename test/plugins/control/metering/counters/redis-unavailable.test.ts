import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CounterSum } from '../../../../../plugins/control/metering/counters/limits.ts';
import { openRedisLimits } from '../../../../../plugins/control/metering/counters/redis/open-redis-limits.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../../support/servers/redis-server.ts';
import type { Note } from './support/limits-world.ts';
import { onceLedger } from './support/once-ledger.ts';
import { readNote, redisWorld, writeNote } from './support/redis-world.ts';
import { lasting, oneRequest, tokens } from './support/sample-charges.ts';

const ownRedis = async (kind: 'volatile' | 'durable' = 'volatile'): Promise<RedisServer> => {
  const server = await startRedis(kind);
  onTestFinished(() => server.stop());
  return server;
};

const forEver = { ...tokens(0), reset: { every: 'never' } } as const;

describe.skipIf(!hasRedis)('counters in an unavailable Redis (skipped if there is no redis-server)', () => {
  it('are unavailable in time, and keep no reservation that was answered too late', async () => {
    const server = await ownRedis();
    await using world = await redisWorld(server.url);
    const said: string[] = [];
    const limits = await world.open({ commandMs: 50, say: (text) => said.push(text) });
    server.signal('SIGSTOP');
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => limits.reserve(id, [tokens(7)], lasting)));
    expect(answers.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    server.signal('SIGCONT');
    await expect.poll(() => world.limits.read([tokens(0)])).toMatchObject([{ used: 0, reserved: 0 }]);
    await expect
      .poll(() => said)
      .toEqual([
        'gw: The Redis of the limits cannot be used (no answer in time). Check that it is running and accepts the gateway; until then, limits of keys and others let requests through, and count them afterwards, unless a policy has "if_unknown": "refuse".\n',
        'gw: The Redis of the limits answers again.\n',
      ]);
    expect((await world.limits.read([tokens(0)]))[0]?.reserved).toBe(0);
  });

  it.each([
    [
      'its memory is full',
      ['config', 'set', 'maxmemory', '1'],
      '(OOM: its memory is full). Raise its maxmemory, or remove what other programs keep in it; until then',
    ],
    [
      'its user may not run a command of a script',
      ['acl', 'setuser', 'default', '-hmget'],
      '(NOPERM: its user may not run all commands of the gateway, or not use its keys). Allow the user all commands on keys',
    ],
  ])('are unavailable with a reason and what to do, if %s', async (_, [command = '', ...args], expected) => {
    const server = await ownRedis();
    await using world = await redisWorld(server.url);
    const said: string[] = [];
    const limits = await world.open({ say: (text) => said.push(text) });
    await world.direct.call(command, ...args);
    expect(await limits.reserve('a', [tokens(7)], lasting)).toEqual({ kind: 'unavailable' });
    await expect.poll(() => said.join('')).toContain(`gw: The Redis of the limits cannot be used ${expected}`);
  });

  it('charge the settlements of an outage once when Redis is back, also those without a reservation', async () => {
    const server = await ownRedis('durable');
    await using world = await redisWorld(server.url);
    const { limits } = world;
    await limits.reserve('before', [tokens(10)], lasting);
    await server.kill();
    expect((await limits.reserve('meanwhile', [tokens(10)], lasting)).kind).toBe('unavailable');
    limits.settle('before', [tokens(3)], { note: 'before' });
    limits.settle('meanwhile', [tokens(4)], { note: 'meanwhile' });
    await server.restart();
    await expect.poll(() => limits.read([tokens(0)]).catch(() => [])).toMatchObject([{ used: 7, reserved: 0 }]);
    expect([...(await world.ledger()).keys()].sort()).toEqual(['before', 'meanwhile']);
  });

  it.each(
    [
      'xadd',
      'xlen',
      'zadd',
      'zrem',
      'zrangebyscore',
      'set',
      'get',
      'hset',
      'hmget',
      'hlen',
      'del',
      'pexpire',
      'pttl',
    ].map((command) => [command]),
  )('charge each settlement once if the user was not allowed %s for a while', async (command) => {
    const server = await ownRedis();
    await using world = await redisWorld(server.url);
    const { limits } = world;
    for (const id of ['settled', 'released', 'expired'])
      await limits.reserve(id, [tokens(10)], id === 'expired' ? { ...lasting, ttlMs: 1 } : lasting);
    await world.direct.call('acl', 'setuser', 'default', `-${command}`);
    await world.jump(10).catch(() => {});
    limits.release('released');
    limits.settle('settled', [tokens(3), { ...tokens(3), policy: 'other' }], { note: 'settled' });
    await limits.reserve('meanwhile', [tokens(10)], lasting);
    limits.settle('meanwhile', [tokens(4)], { note: 'meanwhile' });
    await world.direct.call('acl', 'setuser', 'default', `+${command}`);
    await world.jump(10);
    await expect.poll(() => limits.read([tokens(0)]).catch(() => [])).toMatchObject([{ used: 17, reserved: 0 }]);
    const posted = await world.ledger();
    expect([...posted.values()].map(({ id, charges }) => [id, charges[0]?.amount]).sort()).toEqual([
      ['expired', 10],
      ['meanwhile', 4],
      ['settled', 3],
    ]);
  });

  it('keep a limited number of settlements, and charge the others as they were reserved', async () => {
    const server = await ownRedis('durable');
    await using world = await redisWorld(server.url);
    const said: string[] = [];
    const limits = await world.open({ maxUnsent: 2, say: (text) => said.push(text) });
    for (const id of ['a', 'b', 'c'])
      await limits.reserve(id, [tokens(10)], { ttlMs: 1000, entry: { note: 'estimate' } });
    await server.kill();
    for (const id of ['a', 'b', 'c']) limits.settle(id, [tokens(1)], { note: 'used' });
    await server.restart();
    await expect
      .poll(() => said)
      .toContain(
        'gw: 1 settlement did not reach the Redis of the limits and is charged as it was reserved, or not at all if nothing was reserved.\n',
      );
    await expect.poll(() => world.limits.read([tokens(0)]).catch(() => [])).toMatchObject([{ used: 2, reserved: 10 }]);
    await world.pass(1000);
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 12, reserved: 0 }]);
  });

  it('report every settlement that did not reach Redis, kept or not, if they are closed while it is away', async () => {
    const server = await ownRedis('durable');
    await using world = await redisWorld(server.url);
    const said: string[] = [];
    const limits = await world.open({ maxUnsent: 2, say: (text) => said.push(text) });
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) await limits.reserve(id, [tokens(10)], { ttlMs: 1000, entry: { note: 'estimate' } });
    await server.kill();
    for (const id of ids) limits.settle(id, [tokens(1)], { note: 'used' });
    await limits.close();
    expect(said).toContain(
      'gw: 4 settlements did not reach the Redis of the limits and are charged as they were reserved, or not at all if nothing was reserved.\n',
    );
    await server.restart();
  });

  it('are rebuilt from the ledger once, before any decision, if Redis has lost them', async () => {
    const server = await ownRedis();
    await using world = await redisWorld(server.url);
    let asked = 0;
    let answer = (_sums: readonly CounterSum[]): void => {};
    const sums = async (): Promise<readonly CounterSum[]> => {
      asked += 1;
      return await new Promise<readonly CounterSum[]>((resolve) => {
        answer = resolve;
      });
    };
    await world.limits.close();
    // With the default of five seconds, another process would also ask for the sums if the machine stalled that long.
    const leaseMs = 60_000;
    const said: string[] = [];
    const processes = await Promise.all(
      Array.from({ length: 3 }, () => world.open({ sums, leaseMs, say: (text) => said.push(text) })),
    );
    await server.restart();
    await world.jump(0);
    await expect.poll(() => asked).toBe(1);
    for (const limits of processes) {
      const { kind } = await limits.reserve(crypto.randomUUID(), [oneRequest], lasting);
      expect(kind).toBe('unavailable');
    }
    const many = Array.from({ length: 1200 }, (_, index) => ({ ...forEver, bucket: `b${index}`, window: 0, used: 99 }));
    answer([...many, { ...forEver, window: 0, used: 9_000_000_000_000_001 }]);
    for (const limits of processes)
      await expect
        .poll(() => limits.read([{ ...forEver, bucket: 'b1199' }, forEver]).catch(() => []))
        .toMatchObject([{ used: 99 }, { used: 9_000_000_000_000_001 }]);
    expect(asked).toBe(1);
    expect(said.filter((text) => text.includes('has lost its counters'))).toHaveLength(1);
  });

  it('report why there is no connection', async () => {
    const server = await ownRedis();
    const readSay = async (url: string): Promise<string> => {
      const said: string[] = [];
      const limits = await openRedisLimits<Note>({
        ...{
          url,
          namespace: 'away',
          clock: systemClock,
          postings: onceLedger<Note>(),
          readEntry: readNote,
          writeEntry: writeNote,
        },
        sums: async () => [],
        say: (text) => said.push(text),
      });
      await limits.close();
      return said[0] ?? '';
    };
    const admin = new Redis(server.url);
    await admin.config('SET', 'requirepass', 'right');
    admin.disconnect();
    expect(await readSay('redis://127.0.0.1:1')).toContain('(ECONNREFUSED)');
    expect(await readSay('redis://no.such.host.invalid')).toMatch(/\((ENOTFOUND|EAI_AGAIN)\)/);
    expect(await readSay(server.url)).toContain('(NOAUTH: it requires a password)');
    expect(await readSay(server.url.replace('//', '//:wrong@'))).toContain('(WRONGPASS: it refuses the password)');
    expect(await readSay(server.url.replace('//', '//:right@'))).toBe('');
  });

  it('never reveal the password of Redis', async () => {
    const server = await ownRedis();
    const said: string[] = [];
    const ledger = onceLedger<Note>();
    const fails = async (url: string): Promise<void> => {
      const limits = await openRedisLimits<Note>({
        ...{
          url,
          namespace: 'secret',
          clock: systemClock,
          postings: ledger,
          readEntry: readNote,
          writeEntry: writeNote,
        },
        sums: async () => [],
        say: (text) => said.push(text),
      });
      expect((await limits.reserve('a', [tokens(1)], lasting)).kind).toBe('unavailable');
      const failure: unknown = await limits.read([forEver]).catch((error: unknown) => error);
      said.push(String(failure));
      limits.settle('a', [tokens(1)], { note: 'a' });
      await limits.close();
    };
    const refused = server.url.replace('//', '//user:hunter2@');
    await Promise.all([fails(refused), fails('redis://:hunter2@127.0.0.1:1'), fails('redis://:hunter2@[')]);
    expect(said.length).toBeGreaterThanOrEqual(6);
    expect(said.join()).not.toContain('hunter2');
  });
});
