import type { Clock } from '../../../../sdk/clock.ts';
import type { Postings } from '../../ledger/record/posting.ts';
import type { Charge, CounterSum, Granted, LateCharges, Limits, Refused, Unavailable } from '../limits.ts';
import { DecisionBatches, Unsent } from './decision-batches.ts';
import {
  chargeDecision,
  fromDecisionText,
  fromStateWords,
  lookDecision,
  releaseDecision,
  reserveDecision,
  settleDecision,
  toSentPlace,
} from './decision-texts.ts';
import { GrantedIds, KnownCounters } from './known-counters.ts';
import { counterBuilder, PostingDrain } from './posting-drain.ts';
import { RedisAvailability, redisError } from './redis-availability.ts';
import { NotSentError, ScriptRunner } from './script-runner.ts';

export interface RedisLimitsOptions<Entry> {
  /** As `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Distinguishes the counters of one store from those of others in the same Redis: letters, digits and hyphens. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly postings: Postings<Entry>;
  /** An entry that was written as JSON; undefined if it is none. */
  readonly readEntry: (value: unknown) => Entry | undefined;
  /** Reads the ledger's sums of all counters in their present windows. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** Milliseconds that a decision waits for Redis. */
  readonly commandMs?: number;
  /** Settlements that are kept while Redis is unavailable. */
  readonly maxUnsent?: number;
  /** Milliseconds after which another process goes on with what one that has ended had begun. */
  readonly leaseMs?: number;
  /** Lua: where scripts have the time from; that of Redis if absent. */
  readonly time?: string;
}

/** Milliseconds between two rounds of what is done beside decisions. */
const roundMs = 250;

/** Milliseconds after which a command that no request waits for is given up. */
const patientMs = 1000;

/** How often a process that ends looks whether postings are left, which a ledger that fails does not take. */
const maxEnds = 3;

/** Milliseconds that opening waits for a Redis that does not answer. */
const startMs = 1000;

const unavailable: Unavailable = { kind: 'unavailable' };

/** Redis posts its charges itself. */
const nothingLeft: LateCharges = { posted: [], made: () => {} };

const notAsked = (error: unknown): Error =>
  new Error(`The Redis of the limits cannot be asked (${redisError(error)}). Try again.`);

const incomplete = (): Error =>
  new Error('The Redis of the limits has no counters yet: they are being read from the ledger. Try again.');

/** Opens counters in a Redis, and waits for a moment until they can be asked. It never rejects. */
export const openRedisLimits = async <Entry>(options: RedisLimitsOptions<Entry>): Promise<Limits<Entry>> => {
  const { url, namespace, clock, postings, readEntry, sums, say, time } = options;
  const { commandMs = 100, maxUnsent = 100_000, leaseMs = 5000 } = options;
  const prefix = `{gatewright:limits:${namespace}}:2:`;
  // Only decisions are waited for by requests. What else is sent would otherwise be sent again and again where Redis is slow.
  const patient = { url, prefix, commandMs: Math.max(patientMs, commandMs), time };
  const decisions = new ScriptRunner(patient);
  const upkeep = new ScriptRunner(patient);
  const availability = new RedisAvailability(clock, say);
  const ids = new GrantedIds();
  const drain = new PostingDrain({ clock, runner: upkeep, postings, readEntry, say, leaseMs });
  const build = counterBuilder({ clock, runner: upkeep, sums, leaseMs });
  let isClosed = false;
  let stopTimer = (): void => {};
  let round: Promise<void> = Promise.resolve();

  const known = new KnownCounters(() => clock.monotonic());
  const batches = new DecisionBatches({ clock, runner: decisions, availability, commandMs });
  const unsent = new Unsent({ batches, most: maxUnsent, say });

  /** Reads what is granted or refused; undefined where nothing is. */
  const validated = (charges: readonly Charge[], text: string): Granted | Refused | undefined => {
    const answer = fromDecisionText(charges, text);
    if (answer?.kind === 'refused') known.refused(charges);
    if (answer?.kind === 'granted') known.granted(charges, answer);
    return answer;
  };

  /** Whether the counters were complete. */
  const upkeepOnce = async (isLast = false): Promise<boolean> => {
    if (unsent.waiting > 0) await unsent.retry();
    const isComplete = await drain.drain(isLast);
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

  /** Posts what is left. Another process that ends meanwhile leaves its postings to the one that has the lease. */
  const end = async (): Promise<void> => {
    for (let times = 0; times < maxEnds; times += 1) {
      await upkeepOnce(true);
      if (await drain.release()) return;
    }
  };

  /** Asks Redis, and sees what this process has settled before. */
  const asked = async (
    name: 'read' | 'reset',
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'reset'>[],
  ): Promise<readonly string[]> => {
    await batches.settled();
    const [answer, ...texts] = await upkeep
      .run(name, [JSON.stringify(places.map(toSentPlace))])
      .catch((error: unknown): readonly string[] => {
        throw notAsked(error);
      });
    if (answer === name) return texts;
    throw incomplete();
  };

  /** The first connection takes a moment, which need not be reported. */
  const start = async (): Promise<void> => {
    const until = clock.monotonic() + startMs;
    let failure: unknown;
    const isReady = async (): Promise<boolean> => {
      try {
        const isComplete = await upkeepOnce();
        await decisions.run('read', ['[]']);
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
    reserve(id, charges, { ttlMs, entry }) {
      if (isClosed || !availability.enter()) {
        ids.unknown(id);
        return unavailable;
      }
      return new Promise((resolve) => {
        batches.ask({
          decision: reserveDecision(id, charges, { ttlMs, entry }),
          isUrgent: true,
          answered(text, epoch) {
            const answer = validated(charges, text);
            if (answer?.kind === 'granted') ids.granted(id, epoch);
            if (text === 'lost') ids.unknown(id);
            resolve(answer ?? unavailable);
          },
          failed(error) {
            ids.unknown(id);
            // Redis may make the reservation after its answer is no longer waited for.
            if (!(error instanceof NotSentError)) unsent.send(releaseDecision(id, ''));
            resolve(unavailable);
          },
        });
      });
    },
    look(charges) {
      const counters = known.admitting(charges);
      if (counters !== undefined) return { kind: 'granted', counters };
      if (isClosed || !availability.enter()) return unavailable;
      return new Promise((resolve) => {
        batches.ask({
          decision: lookDecision(charges),
          isUrgent: true,
          answered: (text) => resolve(validated(charges, text) ?? unavailable),
          failed: () => resolve(unavailable),
        });
      });
    },
    settle(id, actual, entry) {
      const epoch = ids.take(id);
      if (epoch === undefined) return;
      known.charged(actual);
      unsent.send(settleDecision(id, actual, { epoch, entry }));
    },
    release(id) {
      const epoch = ids.take(id);
      if (epoch !== undefined) unsent.send(releaseDecision(id, epoch));
    },
    charge: (id, charges, entry) =>
      new Promise((resolve, reject) => {
        batches.ask({
          decision: chargeDecision(id, charges, entry),
          isUrgent: false,
          answered(text) {
            if (text !== 'done') return reject(incomplete());
            known.charged(charges);
            resolve(nothingLeft);
          },
          failed: (error) => reject(notAsked(error)),
        });
      }),
    async read(places) {
      const texts = await asked('read', places);
      return places.map((place, index) => fromStateWords(place, (texts[index] ?? '').split(' ')));
    },
    async reset(place) {
      const [used] = await asked('reset', [place]);
      return Number(used);
    },
    settled: () => batches.settled(),
    isUnavailable: () => availability.isUnavailable(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      stopTimer();
      await round;
      await batches.settled();
      await end().catch((error: unknown) => availability.failed(error));
      // What has failed since then was released.
      await batches.settled();
      unsent.giveUp();
      await Promise.all([decisions.close(), upkeep.close()]);
    },
  };
};
