import type { Clock } from '../../../sdk/clock.ts';
import { ById } from './by-id.ts';
import { admits, type Charge, type CounterState, type Granted } from './limits.ts';

/** A counter, and the last answer that reported it, which is read when a look needs it. */
interface Known {
  answer: Granted;
  /** The index of the counter in it. */
  index: number;
  /** By the monotonic clock. */
  at: number;
  charged: number;
}

/** Milliseconds after which it is asked again, whatever was answered: others may have filled a counter since. */
const trustedMs = 1000;

/** Of one more, all are forgotten, and asked for again. */
const maxKnown = 20_000;

/** Remembers what answers say of counters. */
export class KnownCounters {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By policy and bucket. */
  readonly #known = new Map<string, Map<string, Known>>();
  #size = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Answers the counters as they were last described, where each of them admits its charge by that; undefined where one of
   * them does not, or was not described lately, so that it is to be asked.
   */
  admitting(charges: readonly Charge[]): readonly CounterState[] | undefined {
    const oldest = this.#clock.monotonic() - trustedMs;
    const states: CounterState[] = [];
    for (const charge of charges) {
      const of = this.#find(charge);
      const state = of === undefined || of.at < oldest ? undefined : of.answer.counters[of.index];
      if (of === undefined || state === undefined) return undefined;
      const { used, reserved } = state;
      if (!admits(charge, { used: used + of.charged, reserved })) return undefined;
      states.push(state.limit === charge.limit ? state : { ...state, limit: charge.limit });
    }
    return states;
  }

  /** Notes that charges were granted, and what the answer says of their counters. */
  granted(charges: readonly Charge[], answer: Granted): void {
    const at = this.#clock.monotonic();
    for (const [index, charge] of charges.entries()) {
      const of = this.#find(charge);
      if (of === undefined) this.#add(charge, { answer, index, at, charged: 0 });
      else {
        of.answer = answer;
        of.index = index;
        of.at = at;
        of.charged = 0;
      }
    }
  }

  /** Notes that one of the counters is full. */
  refused(charges: readonly Charge[]): void {
    for (const charge of charges) {
      const of = this.#find(charge);
      if (of !== undefined) of.at = Number.NEGATIVE_INFINITY;
    }
  }

  /** Notes what this process has charged since then, which is looked at as if nothing had been reserved for it. */
  charged(charges: readonly Charge[]): void {
    for (const charge of charges) {
      const of = this.#find(charge);
      if (of !== undefined) of.charged += charge.amount;
    }
  }

  #find({ policy, bucket }: Charge): Known | undefined {
    return this.#known.get(policy)?.get(bucket);
  }

  #add({ policy, bucket }: Charge, added: Known): void {
    if (this.#size === maxKnown) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#size += 1;
    const ofPolicy = this.#known.get(policy);
    if (ofPolicy === undefined) this.#known.set(policy, new Map([[bucket, added]]));
    else ofPolicy.set(bucket, added);
  }
}

interface KnownId {
  readonly id: string;
  epoch: string;
}

/**
 * So many, and those that came before them, up to as many again: far more than a process has in flight, for what is never
 * settled or released, as what a policy refuses.
 */
const maxIds = 100_000;

/** Remembers of reservations the epoch in which each was granted, or that it is unknown whether it was. */
export class GrantedIds {
  #latest = new ById<KnownId>();
  #earlier = new ById<KnownId>();

  granted(id: string, epoch: string): void {
    const known = this.#find(id);
    if (known !== undefined) {
      known.epoch = epoch;
      return;
    }
    if (this.#latest.size === maxIds) {
      this.#earlier = this.#latest;
      this.#latest = new ById();
    }
    this.#latest.add({ id, epoch });
  }

  unknown(id: string): void {
    if (this.#find(id) === undefined) this.granted(id, '');
  }

  /** Takes the epoch out, which is empty if it is not known; undefined if there is nothing to settle. Each id is taken once. */
  take(id: string): string | undefined {
    return (this.#latest.take(id) ?? this.#earlier.take(id))?.epoch;
  }

  #find(id: string): KnownId | undefined {
    return this.#latest.get(id) ?? this.#earlier.get(id);
  }
}
