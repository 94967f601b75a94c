import type { Clock } from '../../../../sdk/clock.ts';
import type { Postings } from '../../ledger/record/posting.ts';
import type {
  Answer,
  Charge,
  CounterState,
  CounterSum,
  Granted,
  LateCharges,
  Limits,
  Refused,
  ReserveOptions,
  Unavailable,
} from '../limits.ts';
import { CounterUpkeep } from './counter-upkeep.ts';
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
import { NotSentError, RedisAvailability, redisError, ScriptRunner } from './script-runner.ts';

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

/** Milliseconds after which a command that no request waits for is given up. */
const patientMs = 1000;

const unavailable: Unavailable = { kind: 'unavailable' };

/** Redis posts its charges itself. */
const nothingLeft: LateCharges = { posted: [], made: () => {} };

const notAsked = (error: unknown): Error =>
  new Error(`The Redis of the limits cannot be asked (${redisError(error)}). Try again.`);

const incomplete = (): Error =>
  new Error('The Redis of the limits has no counters yet: they are being read from the ledger. Try again.');

/** Counts in a Redis that several processes share. */
class RedisLimits<Entry> implements Limits<Entry> {
  readonly #decisions: ScriptRunner;
  readonly #others: ScriptRunner;
  readonly #availability: RedisAvailability;
  readonly #upkeep: CounterUpkeep<Entry>;
  readonly #batches: DecisionBatches;
  readonly #unsent: Unsent;
  readonly #known: KnownCounters;
  readonly #ids = new GrantedIds();
  #isClosed = false;

  constructor(options: RedisLimitsOptions<Entry>) {
    const { url, namespace, clock, say, time, commandMs = 100, maxUnsent = 100_000, leaseMs = 5000 } = options;
    const prefix = `{gatewright:limits:${namespace}}:2:`;
    // Only decisions are waited for by requests. What else is sent would otherwise be sent again and again where Redis is slow.
    const patient = { url, prefix, commandMs: Math.max(patientMs, commandMs), time };
    this.#decisions = new ScriptRunner(patient);
    this.#others = new ScriptRunner(patient);
    this.#availability = new RedisAvailability(clock, say);
    const shared = { clock, commandMs, leaseMs, availability: this.#availability };
    this.#batches = new DecisionBatches({ ...shared, runner: this.#decisions });
    this.#unsent = new Unsent({ batches: this.#batches, most: maxUnsent, say });
    this.#upkeep = new CounterUpkeep({ ...options, ...shared, runner: this.#others, unsent: this.#unsent });
    this.#known = new KnownCounters(clock);
  }

  /** Waits for a moment until the counters can be asked. */
  start(): Promise<void> {
    return this.#upkeep.start(() => this.#decisions.run('read', ['[]']));
  }

  reserve(id: string, charges: readonly Charge[], { ttlMs, entry }: ReserveOptions<Entry>): Answer | Promise<Answer> {
    if (this.#isClosed || !this.#availability.enter()) {
      this.#ids.unknown(id);
      return unavailable;
    }
    return new Promise((resolve) => {
      this.#batches.ask({
        decision: reserveDecision(id, charges, { ttlMs, entry }),
        isUrgent: true,
        answered: (text, epoch) => {
          const answer = this.#read(charges, text);
          if (answer?.kind === 'granted') this.#ids.granted(id, epoch);
          if (text === 'lost') this.#ids.unknown(id);
          resolve(answer ?? unavailable);
        },
        failed: (error) => {
          this.#ids.unknown(id);
          // Redis may make the reservation after its answer is no longer waited for.
          if (!(error instanceof NotSentError)) this.#unsent.send(releaseDecision(id, ''));
          resolve(unavailable);
        },
      });
    });
  }

  look(charges: readonly Charge[]): Answer | Promise<Answer> {
    const counters = this.#known.admitting(charges);
    if (counters !== undefined) return { kind: 'granted', counters };
    if (this.#isClosed || !this.#availability.enter()) return unavailable;
    return new Promise((resolve) => {
      this.#batches.ask({
        decision: lookDecision(charges),
        isUrgent: true,
        answered: (text) => resolve(this.#read(charges, text) ?? unavailable),
        failed: () => resolve(unavailable),
      });
    });
  }

  settle(id: string, actual: readonly Charge[], entry: Entry): void {
    const epoch = this.#ids.take(id);
    if (epoch === undefined) return;
    this.#known.charged(actual);
    this.#unsent.send(settleDecision(id, actual, { epoch, entry }));
  }

  release(id: string): void {
    const epoch = this.#ids.take(id);
    if (epoch !== undefined) this.#unsent.send(releaseDecision(id, epoch));
  }

  charge(id: string, charges: readonly Charge[], entry: Entry): Promise<LateCharges> {
    return new Promise((resolve, reject) => {
      this.#batches.ask({
        decision: chargeDecision(id, charges, entry),
        isUrgent: false,
        answered: (text) => {
          if (text !== 'done') return reject(incomplete());
          this.#known.charged(charges);
          resolve(nothingLeft);
        },
        failed: (error) => reject(notAsked(error)),
      });
    });
  }

  async read(
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>[],
  ): Promise<readonly CounterState[]> {
    const texts = await this.#ask('read', places);
    return places.map((place, index) => fromStateWords(place, (texts[index] ?? '').split(' ')));
  }

  async reset(place: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<number> {
    return Number((await this.#ask('reset', [place]))[0]);
  }

  settled(): Promise<void> {
    return this.#batches.settled();
  }

  isUnavailable(): boolean {
    return this.#availability.isUnavailable();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#upkeep.stop();
    await this.#batches.settled();
    await this.#upkeep.end().catch((error: unknown) => this.#availability.failed(error));
    // What has failed since then was released.
    await this.#batches.settled();
    this.#unsent.giveUp();
    await Promise.all([this.#decisions.close(), this.#others.close()]);
  }

  /** Reads what is granted or refused; undefined where nothing is. */
  #read(charges: readonly Charge[], text: string): Granted | Refused | undefined {
    const answer = fromDecisionText(charges, text);
    if (answer?.kind === 'refused') this.#known.refused(charges);
    if (answer?.kind === 'granted') this.#known.granted(charges, answer);
    return answer;
  }

  /** Asks Redis, and sees what this process has settled before. */
  async #ask(
    name: 'read' | 'reset',
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'reset'>[],
  ): Promise<readonly string[]> {
    await this.#batches.settled();
    const [answer, ...texts] = await this.#others
      .run(name, [JSON.stringify(places.map(toSentPlace))])
      .catch((error: unknown): readonly string[] => {
        throw notAsked(error);
      });
    if (answer === name) return texts;
    throw incomplete();
  }
}

/** Opens counters in a Redis, and waits for a moment until they can be asked. It never rejects. */
export const openRedisLimits = async <Entry>(options: RedisLimitsOptions<Entry>): Promise<Limits<Entry>> => {
  const limits = new RedisLimits(options);
  await limits.start();
  return limits;
};
