import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { CounterSum, Limits } from '../../../../../../plugins/control/metering/counters/limits.ts';
import {
  openRedisLimits,
  type RedisLimitsOptions,
} from '../../../../../../plugins/control/metering/counters/redis/open-redis-limits.ts';
import type { EntryText } from '../../../../../../plugins/control/metering/ledger/posting.ts';
import { systemClock } from '../../../../../../runtime/in-memory/system-clock.ts';
import { isJsonObject } from '../../../../../../schema/json/json.ts';
import { type LimitsWorld, type Note, worldStart } from './limits-world.ts';
import { type OnceLedger, onceLedger } from './once-ledger.ts';

export interface RedisWorld extends LimitsWorld {
  readonly direct: Redis;
  readonly prefix: string;
  readonly kept: OnceLedger<Note>;
  /** Opens another process. */
  open(changes?: Partial<RedisLimitsOptions<Note>>): Promise<Limits<Note>>;
}

/** Writes notes in two parts, the second of which differs between notes. */
export const writeNote = ({ note }: Note): EntryText => ({ own: '{"note":', shared: `${JSON.stringify(note)}}` });

export const readNote = (value: unknown): Note | undefined =>
  isJsonObject(value) && typeof value.note === 'string' ? { note: value.note } : undefined;

/** The Lua expression from which the scripts of a world read the time. */
export const worldTime = "redis.call('HMGET', KEYS[1] .. 'clock', 's', 'us')";

/** Creates counters in Redis whose scripts read the time from a key that the world sets. No other world shares them. */
export const redisWorld = async (url: string, sums: readonly CounterSum[] = []): Promise<RedisWorld> => {
  const namespace = randomUUID();
  const prefix = `{gatewright:limits:${namespace}}:2:`;
  const direct = new Redis(url);
  // Some tests stop the server.
  direct.on('error', () => {});
  const kept = onceLedger<Note>();
  let now = worldStart;
  const setTime = () => direct.hset(`${prefix}clock`, 's', Math.floor(now / 1000), 'us', (now % 1000) * 1000);
  await setTime();

  const opened: Limits<Note>[] = [];
  const open = async (changes: Partial<RedisLimitsOptions<Note>> = {}): Promise<Limits<Note>> => {
    const limits = await openRedisLimits<Note>({
      url,
      namespace,
      clock: systemClock,
      postings: kept,
      readEntry: readNote,
      writeEntry: writeNote,
      sums: async () => sums,
      say: () => {},
      // A busy machine may be slow to answer.
      commandMs: 20_000,
      leaseMs: 300,
      time: worldTime,
      ...changes,
    });
    opened.push(limits);
    return limits;
  };
  let limits = await open();
  const closeAll = () => Promise.all(opened.map((each) => each.close()));
  return {
    direct,
    prefix,
    kept,
    open,
    get limits() {
      return limits;
    },
    now: () => now,
    async pass(ms) {
      now += ms;
      await setTime();
      // Each script expires what is due.
      await limits.read([]);
    },
    async jump(ms) {
      now += ms;
      await setTime();
    },
    async ledger() {
      await closeAll();
      limits = await open();
      return kept.kept;
    },
    async restart() {
      await limits.read([]);
      limits = await open();
    },
    expiresAtRestart: false,
    async [Symbol.asyncDispose]() {
      await closeAll();
      direct.disconnect();
    },
  };
};
