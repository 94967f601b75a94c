import { randomUUID } from 'node:crypto';
import { within } from '../../../sdk/within.ts';
import type { Clock } from '../../identity/clock.ts';
import { correctionId } from '../correction-id.ts';
import type { Charge, CounterSum, Granted, Limits, Postings, Refused, Unavailable } from '../limits.ts';
import { fromStateTexts, toChargeTexts } from './charge-texts.ts';
import { counterBuilder } from './counter-builder.ts';
import { grantedIds } from './granted-ids.ts';
import { postingDrain } from './posting-drain.ts';
import { redisAvailability } from './redis-availability.ts';
import { redisFault } from './redis-fault.ts';
import { NotSentError, scriptRunner } from './script-runner.ts';
import { createUnsent } from './unsent.ts';

export interface RedisLimitsOptions<Entry> {
  /** As `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Tells the counters of one store from those of others in the same Redis: letters, digits and hyphens. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly postings: Postings<Entry>;
  /** An entry that was written as JSON; undefined if it is none. */
  readonly readEntry: (value: unknown) => Entry | undefined;
  /** What the ledger has of all counters in their present windows. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** Milliseconds that a decision waits for Redis. */
  readonly commandMs?: number;
  /** Settlements that are kept while Redis is away. */
  readonly mostUnsent?: number;
  /** Milliseconds after which another process goes on with what one that has ended had begun. */
  readonly leaseMs?: number;
  /** Lua: where scripts have the time from; that of Redis if absent. */
  readonly time?: string;
}

/** Milliseconds between two rounds of what is done beside decisions. */
const roundMs = 250;

/** Milliseconds after which a command that no request waits for is given up. */
const patientMs = 1000;

/** Milliseconds that opening waits for a Redis that does not answer. */
const startMs = 1000;

const unavailable: Unavailable = { kind: 'unavailable' };

const statesIn = (charges: readonly Pick<Charge, 'policy' | 'limit'>[], texts: readonly string[]) =>
  charges.map((charge, index) => fromStateTexts(charge, texts.slice(index * 4, index * 4 + 4)));

/** Opens counters in a Redis, and waits for a moment until they can be asked. It never rejects. */
export const openRedisLimits = async <Entry>(options: RedisLimitsOptions<Entry>): Promise<Limits<Entry>> => {
  const { url, namespace, clock, postings, readEntry, sums, say, time } = options;
  const { commandMs = 100, mostUnsent = 100_000, leaseMs = 5000 } = options;
  const prefix = `{gatewright:limits:${namespace}}:1:`;
  // Only decisions are waited for by requests. What else is sent would otherwise be sent again and again where Redis is slow.
  const patient = { url, prefix, commandMs: Math.max(patientMs, commandMs), time };
  const decisions = scriptRunner(patient);
  const upkeep = scriptRunner(patient);
  const availability = redisAvailability(clock, say);
  const ids = grantedIds();
  const { drain, release } = postingDrain({ runner: upkeep, postings, readEntry, say, leaseMs });
  const build = counterBuilder({ clock, runner: upkeep, sums, leaseMs });
  let isClosed = false;
  let stopTimer = (): void => {};
  let round: Promise<void> = Promise.resolve();

  const unsent = createUnsent({
    most: mostUnsent,
    say,
    run: async ({ name, args }) => {
      try {
        const [answer] = await decisions.run(name, args);
        return answer === 'done';
      } catch (error) {
        availability.failed(error);
        return false;
      }
    },
  });

  const answered = (
    id: string,
    charges: readonly Charge[],
    reply: readonly string[],
  ): Granted | Refused | Unavailable => {
    const [kind, first = '', ...texts] = reply;
    const charge = charges[Number(first)];
    if (kind === 'refused' && charge !== undefined) return { kind, counter: fromStateTexts(charge, texts) };
    if (kind === 'lost') ids.unknown(id);
    if (kind !== 'granted') return unavailable;
    ids.granted(id, first);
    return { kind, counters: statesIn(charges, texts) };
  };

  /** Whether the counters were complete. */
  const upkeepOnce = async (): Promise<boolean> => {
    if (unsent.waiting > 0) await unsent.retry();
    const isComplete = await drain();
    if (!isComplete) await build();
    availability.succeeded();
    return isComplete;
  };

  const rest = (): void => {
    if (isClosed) return;
    stopTimer = clock.after(roundMs, () => {
      round = upkeepOnce().then(rest, (error: unknown) => {
        availability.failed(error);
        rest();
      });
    });
  };

  /** What this process has settled before is seen. */
  const asked = async (name: 'read' | 'reset', args: readonly string[]): Promise<readonly string[]> => {
    await unsent.settled();
    const [answer, ...texts] = await upkeep.run(name, args).catch((error: unknown): readonly string[] => {
      throw new Error(`The Redis of the limits cannot be asked (${redisFault(error)}). Try again.`);
    });
    if (answer === name) return texts;
    throw new Error('The Redis of the limits has no counters yet: they are being read from the ledger. Try again.');
  };

  /** The first connection takes a moment, which nobody needs to be told. */
  const start = async (): Promise<void> => {
    const until = clock.monotonic() + startMs;
    let failure: unknown;
    const isReady = async (): Promise<boolean> => {
      try {
        const isComplete = await upkeepOnce();
        await decisions.run('read', []);
        return isComplete;
      } catch (error) {
        failure = error;
        return false;
      }
    };
    while (!(await isReady())) {
      if (clock.monotonic() > until) return failure === undefined ? undefined : availability.failed(failure);
      await new Promise<void>((resolve) => void clock.after(roundMs / 10, resolve));
    }
  };
  await start();
  rest();

  return {
    async look(charges) {
      if (isClosed || !availability.enter()) return unavailable;
      try {
        const id = randomUUID();
        const args = [id, String(patientMs), '{}', ...toChargeTexts(charges)];
        const reply = await within(clock, commandMs, decisions.run('reserve', args));
        availability.succeeded();
        const answer = answered(id, charges, reply);
        const epoch = ids.take(id);
        if (epoch !== undefined) unsent.send({ name: 'release', args: [id, epoch] });
        return answer;
      } catch (error) {
        availability.failed(error);
        return unavailable;
      }
    },
    async reserve(id, charges, { ttlMs, entry }) {
      if (isClosed || !availability.enter()) {
        ids.unknown(id);
        return unavailable;
      }
      try {
        const args = [id, String(ttlMs), JSON.stringify(entry), ...toChargeTexts(charges)];
        const reply = await within(clock, commandMs, decisions.run('reserve', args));
        availability.succeeded();
        return answered(id, charges, reply);
      } catch (error) {
        availability.failed(error);
        ids.unknown(id);
        // Redis may make the reservation after its answer is no longer waited for.
        if (!(error instanceof NotSentError)) unsent.send({ name: 'release', args: [id, ''] });
        return unavailable;
      }
    },
    settle(id, actual, entry) {
      const epoch = ids.take(id);
      if (epoch === undefined) return;
      const args = [id, correctionId(id), epoch, JSON.stringify(entry), ...toChargeTexts(actual)];
      unsent.send({ name: 'settle', args });
    },
    release(id) {
      const epoch = ids.take(id);
      if (epoch !== undefined) unsent.send({ name: 'release', args: [id, epoch] });
    },
    async read(places) {
      return statesIn(places, await asked('read', toChargeTexts(places)));
    },
    async reset(place) {
      const [used] = await asked('reset', toChargeTexts([place]));
      return Number(used);
    },
    isAway: () => availability.isAway(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      stopTimer();
      await round;
      await unsent.settled();
      await upkeepOnce().catch(availability.failed);
      if (unsent.waiting > 0)
        say(
          `gw: ${unsent.waiting} settlements did not reach the Redis of the limits, and are charged as they were reserved.\n`,
        );
      await release().catch(() => {});
      await Promise.all([decisions.close(), upkeep.close()]);
    },
  };
};
