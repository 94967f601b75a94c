import type { Clock } from '../../../sdk/clock.ts';
import { ById } from './by-id.ts';
import { admits, type Charge, type CounterState, type Granted } from './limits.ts';

/** A counter, and the last answer that reported it. The answer is parsed only when needed. */
interface Known {
  answer: Granted;
  /** The index of the counter in the answer. */
  index: number;
  /** When it was reported, by the monotonic clock. */
  at: number;
  charged: number;
}

/**
 * How long a reported state is used, in milliseconds. After that the counter is queried again, because others may have filled it.
 */
const trustedMs = 1000;

/** The maximum number of counters. After that, all of them are dropped and queried again. */
const maxKnown = 20_000;

/** Caches the states of counters from answers. */
export class CounterStateCache {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By policy and bucket. */
  readonly #known = new Map<string, Map<string, Known>>();
  #size = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Returns the last reported states of the counters, if each of them grants its charge. Returns undefined if one of them does
   * not, or was not reported recently, so that the counters have to be queried.
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

  /** Notes that charges were granted, and the states of their counters in the answer. */
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

  /** Notes what this process has charged since then, and treats it as if nothing had been reserved for it. */
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
 * The maximum number of ids, not including up to as many earlier ones. This is far more than a process has in flight, because
 * some are never settled or released, such as those of attempts that a policy refuses.
 */
const maxIds = 100_000;

/** Remembers the epoch in which each reservation was granted, or that it is unknown whether it was. */
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

  /**
   * Removes and returns the epoch of an id, which is empty if unknown; undefined if there is nothing to settle. Each id can be
   * taken once.
   */
  take(id: string): string | undefined {
    return (this.#latest.take(id) ?? this.#earlier.take(id))?.epoch;
  }

  #find(id: string): KnownId | undefined {
    return this.#latest.get(id) ?? this.#earlier.get(id);
  }
}
