import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWindow } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import {
  releaseDecision,
  sentDecisions,
  settleDecision,
} from '../../../../../plugins/control/metering/counters/decision-texts.ts';
import { ScriptRunner } from '../../../../../plugins/control/metering/counters/redis/script-runner.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../../support/servers/redis-server.ts';
import { anyMoment, anyReset } from './support/arbitrary-resets.ts';
import { limitsContract } from './support/limits-contract.ts';
import { worldStart } from './support/limits-world.ts';
import { redisWorld, worldTime, writeNote } from './support/redis-world.ts';
import { lasting, minute, oneRequest, tokens } from './support/sample-charges.ts';

/** Creates a ledger that accepts a posting, but does not answer until the test calls `finish`. */
const stuckLedger = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStuck = false;
  return {
    get isStuck() {
      return isStuck;
    },
    finish: resolve,
    post() {
      isStuck = true;
      return promise;
    },
  };
};

describe.skipIf(!hasRedis)('counters in Redis (skipped if there is no redis-server)', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  limitsContract(() => redisWorld(server.url));

  it('have the same windows as counters in memory', async () => {
    await using world = await redisWorld(server.url);
    const moments = fc.sample(anyMoment, Math.ceil(lawRuns.numRuns / 3)).sort((a, b) => a - b);
    const resets = fc.sample(anyReset, 50);
    for (const moment of moments) {
      await world.jump(moment - world.now());
      // Some moments are earlier than the start of the world.
      await world.direct.hdel(`${world.prefix}meta`, 'raw', 'time');
      const places = resets.map((reset) => ({ policy: 'p', bucket: 'b', limit: 1, reset }));
      const ends = (await world.limits.read(places)).map(({ resetsAt }) => resetsAt);
      expect(ends, new Date(moment).toISOString()).toEqual(resets.map((reset) => toWindow(reset, moment).end));
    }
  });

  it('are posted with the same windows as counters in memory', async () => {
    await using world = await redisWorld(server.url);
    const resets = fc.sample(anyReset, 100);
    const charges = resets.map((reset, index) => ({ ...tokens(1), policy: String(index), reset }));
    await world.limits.reserve('a', charges, lasting);
    world.limits.settle('a', charges, { note: 'a' });
    const posting = (await world.ledger()).get('a');
    expect(posting?.charges.map(({ window }) => window)).toEqual(
      resets.map((reset) => toWindow(reset, worldStart).start),
    );
  });

  it('are shared by all processes', async () => {
    await using world = await redisWorld(server.url);
    const processes = [world.limits, await world.open(), await world.open()];
    const asked = processes.flatMap((limits, which) =>
      Array.from({ length: 20 }, (_, index) => limits.reserve(`${which}-${index}`, [oneRequest], lasting)),
    );
    expect((await Promise.all(asked)).filter(({ kind }) => kind === 'granted')).toHaveLength(2);
  });

  it('still work if Redis has lost the scripts', async () => {
    await using world = await redisWorld(server.url);
    await world.direct.script('FLUSH');
    expect((await world.limits.reserve('a', [tokens(1)], lasting)).kind).toBe('granted');
  });

  it('are stored in keys that expire some time after their window', async () => {
    await using world = await redisWorld(server.url);
    await world.limits.reserve('a', [oneRequest, { ...tokens(1), reset: { every: 'never' } }], lasting);
    const keys = await world.direct.keys(`${world.prefix}*`);
    expect(keys.length).toBeGreaterThan(4);
    const readTtl = (policy: string) =>
      world.direct.pttl(keys.find((key) => key.includes(`c:${policy}`)) ?? 'there is none');
    const minuteTtl = await readTtl('two-a-minute');
    expect(minuteTtl > minute && minuteTtl <= 2 * minute).toBe(true);
    expect(await readTtl('hundred-a-month')).toBe(-1);
    world.limits.settle('a', [oneRequest, tokens(1)], { note: 'a' });
    await world.ledger();
    const left = (await world.direct.keys(`${world.prefix}*`)).map((key) => key.slice(world.prefix.length));
    expect(left.filter((key) => key.startsWith('r:'))).toEqual([]);
  });

  it('are stored in keys of one slot of a cluster, whatever the names of policies, buckets and ids', async () => {
    await using world = await redisWorld(server.url);
    const tagged = { ...oneRequest, policy: '{other}', bucket: '{bucket}' };
    await world.limits.reserve('{a}', [tagged, tokens(1)], lasting);
    await world.limits.reserve('b', [tokens(1)], lasting);
    world.limits.settle('b', [tokens(1)], { note: 'b' });
    await world.limits.read([tokens(0)]);
    const [tag = '', namespace] = /(gatewright:limits:([^}]+))/.exec(world.prefix)?.slice(1) ?? [];
    const keys = await world.direct.keys(`*${namespace}*`);
    // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
    expect(new Set(keys.map((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1]))).toEqual(new Set([tag]));
    expect(keys.filter((key) => /\b[cr]:/.test(key)).length).toBeGreaterThan(2);
  });

  it('do not grant a reservation that arrives after it was released', async () => {
    await using world = await redisWorld(server.url);
    const { url } = server;
    const late = new ScriptRunner({ url, prefix: world.prefix, commandMs: 20_000 });
    const sent = sentDecisions([releaseDecision('late', '')]);
    await expect.poll(() => late.run('decide', sent).catch(() => [])).toContain('done');
    expect((await world.limits.reserve('late', [tokens(1)], lasting)).kind).toBe('unavailable');
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 0, reserved: 0 }]);
    await late.close();
  });

  it('charge once if a settlement is repeated because its answer was lost, with or without a reservation', async () => {
    await using world = await redisWorld(server.url);
    for (const id of ['held', 'unawaited']) await world.limits.reserve(id, [tokens(7)], lasting);
    const epoch = (await world.direct.hget(`${world.prefix}meta`, 'epoch')) ?? '';
    const again = new ScriptRunner({ url: server.url, prefix: world.prefix, commandMs: 20_000, time: worldTime });
    const settle = (id: string, granted: string) => {
      const decision = settleDecision(id, [tokens(3)], { epoch: granted, entry: writeNote({ note: 'used' }) });
      return again.run('decide', sentDecisions([decision])).catch(() => []);
    };
    await expect.poll(() => settle('held', epoch)).toContain('done');
    for (const [id, granted] of [
      ['held', epoch],
      ['unknown', ''],
      ['unknown', ''],
      ['unawaited', ''],
      ['unawaited', ''],
    ] as const)
      await settle(id, granted);
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 9, reserved: 0 }]);
    await again.close();
  });

  it('are posted by another process if one stops while it posts a batch', async () => {
    const ledger = stuckLedger();
    await using world = await redisWorld(server.url);
    const holder = await world.open({
      postings: {
        post: () => ledger.post(),
      },
    });
    await world.limits.close();
    await holder.reserve('a', [tokens(1)], lasting);
    holder.settle('a', [tokens(1)], { note: 'a' });
    await expect.poll(() => ledger.isStuck).toBe(true);
    await world.open();
    await expect.poll(() => [...world.kept.kept.keys()]).toEqual(['a']);
    ledger.finish();
  });

  it('skip and report postings that cannot be read', async () => {
    const said: string[] = [];
    await using world = await redisWorld(server.url);
    await world.limits.close();
    const key = `${world.prefix}postings`;
    const others = ['nonsense', '[]', '["a","",{"note":7}]', '["a","",["p"],{"note":"a"}]', '["a","",{"note":"a"}]'];
    for (const text of others) await world.direct.xadd(key, '*', 'posting', text);
    await world.open({ say: (text) => said.push(text) });
    await expect.poll(() => world.direct.xlen(key)).toBe(0);
    expect(said).toEqual(['gw: 4 postings in Redis cannot be read, and are skipped.\n']);
    expect([...world.kept.kept.keys()]).toEqual(['a']);
  });

  it('are posted by a process that is closing, also for another one that has closed in the meantime', async () => {
    const ledger = stuckLedger();
    await using world = await redisWorld(server.url);
    const holder = await world.open({
      leaseMs: 20_000,
      postings: {
        async post(some) {
          await ledger.post();
          await world.kept.post(some);
        },
      },
    });
    const other = await world.open();
    await world.limits.close();
    await holder.reserve('a', [tokens(1)], lasting);
    holder.settle('a', [tokens(1)], { note: 'a' });
    const ended = holder.close();
    await expect.poll(() => ledger.isStuck).toBe(true);
    await other.reserve('b', [tokens(1)], lasting);
    other.settle('b', [tokens(1)], { note: 'b' });
    await other.close();
    expect([...world.kept.kept.keys()]).toEqual([]);
    ledger.finish();
    await ended;
    expect([...world.kept.kept.keys()]).toEqual(['a', 'b']);
  });

  it('keep postings in the stream while the ledger fails, and post them when it works again', async () => {
    const said: string[] = [];
    let fails = true;
    await using world = await redisWorld(server.url);
    await world.limits.close();
    const limits = await world.open({
      say: (text) => said.push(text),
      postings: {
        post(batch) {
          if (fails) throw new Error('disk full');
          world.kept.post(batch);
        },
      },
    });
    await limits.reserve('a', [tokens(1)], lasting);
    limits.settle('a', [tokens(1)], { note: 'a' });
    await expect
      .poll(() => said)
      .toEqual(['gw: The ledger does not accept postings, which wait in Redis: disk full\n']);
    fails = false;
    await expect.poll(() => [...world.kept.kept.keys()]).toEqual(['a']);
  });
});
