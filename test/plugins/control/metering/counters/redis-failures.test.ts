import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { patience } from '../../../../support/run/patience.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../../support/servers/redis-server.ts';
import { startProxy, type TcpProxy } from '../../kernel/store/tcp-proxy.ts';
import { redisWorld } from './support/redis-world.ts';
import { lasting, tokens } from './support/sample-charges.ts';

/** A Redis that is about to fail. */
interface Failing {
  readonly server: RedisServer;
  /** Forwards to it. */
  readonly proxy: TcpProxy;
  /** Sends a command to it. */
  readonly admin: (...command: readonly string[]) => Promise<unknown>;
  /** A folder that it writes its snapshots to. */
  readonly folder: string;
}

/** A way in which a Redis fails, and is mended. */
interface Failure {
  readonly what: string;
  fail(redis: Failing): unknown;
  mend(redis: Failing): unknown;
  /** The reason in the message for the operator. */
  readonly reason: RegExp;
  /** The instruction in that message; by default, the one for servers that cannot be reached. */
  readonly remedy?: string;
}

const silent = /^no answer in time$/;
const notConnected = /no answer in time|no connection|ECONNRESET|ECONNREFUSED|EPIPE/;

const revoked = (command: string): Failure => ({
  what: `its user may not run ${command}`,
  fail: ({ admin }) => admin('ACL', 'SETUSER', 'default', `-${command}`),
  mend: ({ admin }) => admin('ACL', 'SETUSER', 'default', `+${command}`),
  reason: /^NOPERM: its user may not run all commands of the gateway, or not use its keys$/,
  remedy: 'Allow the user all commands on keys that match *gatewright:* (ACL SETUSER)',
});

const failures: readonly Failure[] = [
  {
    what: 'it is suspended',
    fail: ({ server }) => server.signal('SIGSTOP'),
    mend: ({ server }) => server.signal('SIGCONT'),
    reason: silent,
  },
  {
    what: 'it was killed',
    fail: ({ server }) => server.kill(),
    mend: ({ server }) => server.restart(),
    reason: notConnected,
  },
  {
    what: 'its connections lead nowhere',
    fail: ({ proxy }) => proxy.freeze(),
    mend: ({ proxy }) => {
      proxy.cut();
      proxy.mend();
    },
    reason: silent,
  },
  {
    what: 'its connections are refused',
    fail: ({ proxy }) => proxy.cut(),
    mend: ({ proxy }) => proxy.mend(),
    reason: notConnected,
  },
  {
    what: 'it pauses its clients',
    fail: ({ admin }) => admin('CLIENT', 'PAUSE', '5000', 'ALL'),
    // It ends by itself, because even the command that ends it would wait.
    mend: () => {},
    reason: silent,
  },
  {
    what: 'its memory is full',
    fail: ({ admin }) => admin('CONFIG', 'SET', 'maxmemory', '1'),
    mend: ({ admin }) => admin('CONFIG', 'SET', 'maxmemory', '0'),
    reason: /^OOM: its memory is full$/,
    remedy: 'Raise its maxmemory, or remove what other programs keep in it',
  },
  {
    what: 'it cannot write a snapshot',
    async fail({ admin, folder }) {
      mkdirSync(path.join(folder, 'dump.rdb'));
      await admin('CONFIG', 'SET', 'save', '10000 100000');
      await admin('BGSAVE');
      await expect.poll(() => admin('INFO', 'persistence'), patience).toContain('rdb_last_bgsave_status:err');
    },
    async mend({ admin, folder }) {
      rmdirSync(path.join(folder, 'dump.rdb'));
      await admin('BGSAVE');
    },
    reason: /^MISCONF: it refuses writes because it cannot save its data$/,
    remedy: 'Find the reason in its log, such as a full disk',
  },
  {
    what: 'it has fewer replicas than it needs for writes',
    fail: ({ admin }) => admin('CONFIG', 'SET', 'min-replicas-to-write', '1'),
    mend: ({ admin }) => admin('CONFIG', 'SET', 'min-replicas-to-write', '0'),
    reason: /^NOREPLICAS: it has fewer replicas than its min-replicas-to-write$/,
    remedy: 'Start them, or lower that number',
  },
  {
    what: 'it runs the script of another program',
    async fail({ admin, server }) {
      await admin('CONFIG', 'SET', 'busy-reply-threshold', '1');
      const other = new Redis(server.url);
      onTestFinished(() => other.disconnect());
      other.eval('while true do end', 0).catch(() => {});
      await expect.poll(() => admin('PING').catch(String), patience).toContain('BUSY');
    },
    mend: ({ admin }) => admin('SCRIPT', 'KILL'),
    reason: /^BUSY: it has been running a script of another program for too long$/,
    remedy: 'End that with SCRIPT KILL',
  },
  {
    what: 'it has become a replica',
    fail: ({ admin }) => admin('REPLICAOF', '127.0.0.1', '1'),
    mend: ({ admin }) => admin('REPLICAOF', 'NO', 'ONE'),
    reason: /^READONLY: it is a replica, which accepts no writes$/,
    remedy: 'Name the primary server in the URL',
  },
  {
    what: 'it has become a replica without its primary',
    async fail({ admin }) {
      await admin('CONFIG', 'SET', 'replica-serve-stale-data', 'no');
      await admin('REPLICAOF', '127.0.0.1', '1');
    },
    mend: ({ admin }) => admin('REPLICAOF', 'NO', 'ONE'),
    reason: /^READONLY: it is a replica, which accepts no writes$/,
    remedy: 'Name the primary server in the URL',
  },
  {
    what: 'its password was changed',
    async fail({ admin, proxy }) {
      await admin('CONFIG', 'SET', 'requirepass', 'changed');
      proxy.cut();
      proxy.mend();
    },
    mend: ({ admin }) => admin('CONFIG', 'SET', 'requirepass', ''),
    reason: /^NOAUTH: it requires a password$/,
    remedy: 'Write the user and the password of the gateway into the URL',
  },
  ...['evalsha', 'hmget', 'zadd', 'xadd', 'xtrim', 'xrange'].map(revoked),
];

describe.skipIf(!hasRedis)('counters in a Redis that fails (skipped if there is no redis-server)', () => {
  it.each(failures)(
    'notify of it once, and count everything exactly afterwards, if $what',
    async ({ fail, mend, reason, remedy = 'Check that it is running and accepts the gateway' }) => {
      const folder = temporaryFolder({});
      const server = await startRedis('durable', ['--dir', folder]);
      onTestFinished(() => server.stop());
      const proxy = await startProxy(Number(new URL(server.url).port));
      onTestFinished(() => proxy.close());
      const direct = new Redis(server.url);
      direct.on('error', () => {});
      onTestFinished(() => direct.disconnect());
      const admin: Failing['admin'] = (...[command = '', ...args]) => direct.call(command, ...args);
      await using world = await redisWorld(server.url);
      const said: string[] = [];
      // One process posts for all, so this one does only if it is the only one.
      await world.limits.close();
      const limits = await world.open({
        url: `redis://127.0.0.1:${proxy.port}`,
        commandMs: 500,
        say: (text) => said.push(text),
      });
      let id = 0;
      let used = 0;
      /** Makes an attempt, which is let through if the counters cannot be queried. */
      const attempt = async (): Promise<void> => {
        id += 1;
        const name = `attempt ${id}`;
        const { kind } = await limits.reserve(name, [tokens(1)], lasting);
        if (kind === 'refused') return;
        used += 1;
        limits.settle(name, [tokens(1)], { note: name });
      };
      await attempt();
      const redis = { server, proxy, admin, folder };
      await fail(redis);
      await expect
        .poll(async () => {
          await attempt();
          return limits.isUnavailable?.() === true && said.length > 0;
        }, patience)
        .toBe(true);
      await mend(redis);
      await expect
        .poll(async () => {
          await attempt();
          return limits.isUnavailable?.() === false && said.length > 1;
        }, patience)
        .toBe(true);
      await expect
        .poll(() => limits.read([tokens(0)]).catch(() => []), patience)
        .toMatchObject([{ used, reserved: 0 }]);
      const posted = [...(await world.ledger()).values()];
      expect(posted.map(({ charges }) => charges[0]?.amount)).toEqual(posted.map(() => 1));
      expect(posted).toHaveLength(used);
      const over = said.pop();
      expect(over).toBe('gw: The Redis of the limits answers again.\n');
      // The first failures may not reveal the reason yet.
      const reports = said.map((text) => /^gw: .* \((.*?)\)\. (.*); until then, .*\n$/.exec(text)?.slice(1) ?? [text]);
      expect(reports.pop()).toEqual([expect.stringMatching(reason), remedy]);
      expect(reports.every(([given = '']) => notConnected.test(given))).toBe(true);
      expect(reports.length).toBeLessThan(2);
    },
  );
});
