import type { Redis } from 'ioredis';
import { reportLoading } from '../../../../plugins/redis/open-redis.ts';
import type { RedisNeeds } from '../../../../plugins/redis/redis-needs.ts';
import {
  findRedisReason,
  foreseeRefusal,
  notAllowed,
  type RedisReason,
} from '../../../../plugins/redis/redis-reasons.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';
import { listRedis, type NamedRedis } from './list-redis.ts';

const neededVersion = [6, 2] as const;

interface Facts {
  readonly [name: string]: string | undefined;
}

/** Parses the answer to INFO, lines of `name:value`. */
export const readInfo = (text: string): Facts =>
  Object.fromEntries([...text.matchAll(/^([a-z_0-9]+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < neededVersion[0] || (major === neededVersion[0] && minor < neededVersion[1]);
};

const limitFindings = (facts: Facts, snapshots: string | undefined, subject: string): readonly Finding[] => {
  const { aof_enabled, maxmemory_policy: policy = 'noeviction', maxmemory = '0' } = facts;
  const found: Finding[] = [];
  if (aof_enabled === '0')
    found.push({
      severity: 'warning',
      subject,
      what: `This Redis ${snapshots === '' ? 'keeps nothing when it restarts' : 'keeps only what its last snapshot had when it restarts'}: what limits have counted since then is lost, until it was read from the ledger again.`,
      remedy: 'Set "appendonly yes" and "appendfsync always" in redis.conf.',
    });
  if (policy !== 'noeviction')
    found.push({
      severity: maxmemory === '0' ? 'warning' : 'error',
      subject,
      what: `This Redis drops keys when its memory is full (maxmemory-policy ${policy}), and with them what limits have counted.`,
      remedy: 'Set "maxmemory-policy noeviction", and give caches a Redis of their own.',
    });
  return found;
};

const refused = ({ what, remedy }: RedisReason, { setting, where }: NamedRedis): Finding => ({
  severity: 'error',
  subject: setting,
  what: `The Redis at ${where} cannot be used (${what}).`,
  remedy: `${remedy}.`,
});

/** Checks a Redis by what it reports about itself. `snapshots` is its setting `save`, if it can be read. */
export const redisFindings = (facts: Facts, snapshots: string | undefined, named: NamedRedis): readonly Finding[] => {
  const { setting, isForLimits } = named;
  const { redis_version: version = '' } = facts;
  const refusal = foreseeRefusal(facts, { hasSnapshots: snapshots !== '' });
  const old: readonly Finding[] =
    isForLimits && isOlder(version)
      ? [
          {
            severity: 'error',
            subject: setting,
            what: `This Redis has the version ${version}; limits need ${neededVersion.join('.')} or newer.`,
            remedy: 'Upgrade it.',
          },
        ]
      : [];
  return [
    ...old,
    ...(refusal === undefined ? [] : [refused(refusal, named)]),
    ...(isForLimits ? limitFindings(facts, snapshots, setting) : []),
  ];
};

const failed = (error: unknown, named: NamedRedis): Finding => {
  const { setting, where } = named;
  const reason = findRedisReason(error);
  if (reason !== undefined) return refused(reason, named);
  return {
    severity: 'error',
    subject: setting,
    what: `The Redis at ${where} cannot be reached (${errorCode(error) ?? 'no answer in time'}).`,
    remedy: `Start it, or correct the host and the port of ${setting}. A Redis with TLS is written rediss://.`,
  };
};

/** Resolves when the connection is ready; rejects with its first error. */
const ready = (client: Redis): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once('error', reject);
    client.connect().then(resolve, (error: unknown) => setImmediate(() => reject(error)));
  });

/** Returns arguments for each command: as many as it needs, and the key where it expects one. */
const argumentsOf = async (
  client: Redis,
  { commands, keys: [key] }: RedisNeeds,
): Promise<readonly (readonly string[])[]> => {
  const facts: unknown = await client.call('COMMAND', 'INFO', ...commands);
  return commands.map((command, index) => {
    if (command.startsWith('eval')) return [command, '', '1', key];
    const known: unknown = Array.isArray(facts) ? facts[index] : undefined;
    const [, arity, , firstKey] = Array.isArray(known) ? known : [];
    const length = Math.abs(Number(arity)) || 1;
    return [command, ...Array.from({ length: length - 1 }, (_, at) => (at + 1 === firstKey ? key : '1'))];
  });
};

/**
 * Lists the needed commands that the user may not run, without running any. Returns none if the server cannot say that, because
 * it is older than 7.0 or does not let the user ask.
 */
const refusedCommands = async (client: Redis, needed: RedisNeeds): Promise<readonly string[]> => {
  try {
    const user = String(await client.call('ACL', 'WHOAMI'));
    const commands = await argumentsOf(client, needed);
    const answers = await Promise.all(commands.map((command) => client.call('ACL', 'DRYRUN', user, ...command)));
    return commands.flatMap(([name = ''], index) => (answers[index] === 'OK' ? [] : [name.toUpperCase()]));
  } catch {
    return [];
  }
};

const refusedFindings = (
  commands: readonly string[],
  { setting, where, isForLimits }: NamedRedis,
): readonly Finding[] =>
  commands.length === 0
    ? []
    : [
        {
          severity: 'error',
          subject: setting,
          what: `The Redis at ${where} does not let its user run ${commands.join(', ')} on the keys of ${isForLimits ? 'limits' : 'the cache'}.`,
          remedy: `${notAllowed.remedy}.`,
        },
      ];

const ask = async (named: NamedRedis, timeoutMs: number): Promise<readonly Finding[]> => {
  const { Redis } = await import('ioredis');
  const client = new Redis(named.url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  reportLoading(client);
  try {
    await ready(client);
    const [info, save] = await Promise.all([client.info(), client.config('GET', 'save').catch(() => undefined)]);
    // A script is needed in each of them. This one changes nothing.
    await client.eval('return 1', named.needed.keys.length, ...named.needed.keys);
    const commands = await refusedCommands(client, named.needed);
    const snapshots = Array.isArray(save) ? String(save[1] ?? '') : undefined;
    return [...redisFindings(readInfo(info), snapshots, named), ...refusedFindings(commands, named)];
  } catch (error) {
    return [failed(error, named)];
  } finally {
    client.disconnect();
  }
};

export const redis: Check = {
  id: 'redis',
  description:
    'the Redis of limits and the Redis of the cache: not reachable, wrong password, missing rights, a replica, without free memory, too old; the Redis of limits without persistence, or with a policy that evicts keys',
  run: async (setUp: SetUp) => (await Promise.all(listRedis(setUp).map((named) => ask(named, setUp.timeoutMs)))).flat(),
};
