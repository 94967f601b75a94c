import type { Clock } from '../../../sdk/clock.ts';
import { toWindow } from '../../kernel/limits/limit-policy.ts';
import type { PostedCharge, TakenPostings } from '../ledger/record/posting.ts';
import { ById } from './by-id.ts';
import { type Due, DueSlots } from './due-slots.ts';
import {
  admits,
  type Charge,
  type CounterState,
  type CounterSum,
  correctableMs,
  correctionId,
  type Granted,
  type Limits,
  type Refused,
  type ReserveOptions,
} from './limits.ts';
import { type Counter, MemoryCounters } from './memory-counters.ts';
import { steadyTime } from './steady-time.ts';

export interface MemoryLimitsOptions<Entry> {
  readonly clock: Clock;
  readonly postings: TakenPostings<Entry>;
}

/** Counters of this process alone, which answer at once. */
export interface MemoryLimits<Entry> extends Limits<Entry> {
  reserve(id: string, charges: readonly Charge[], options: ReserveOptions<Entry>): Granted | Refused;
  look(charges: readonly Charge[]): Granted | Refused;
  /**
   * Once, before the first reservation: adds what the ledger has of counters. Sums of windows that have ended are left out;
   * those of windows that are to come, which a clock that was ahead has opened, wait for them.
   */
  load(sums: readonly CounterSum[]): void;
  /** The counters that are in memory. */
  size(): number;
}

/** A charge that is held in a counter, and how full that was then. */
class Held implements CounterState {
  readonly charge: Charge;
  readonly counter: Counter;
  used = 0;
  reserved = 0;

  constructor(charge: Charge, counter: Counter) {
    this.charge = charge;
    this.counter = counter;
  }

  get amount(): number {
    return this.charge.amount;
  }

  get policy(): string {
    return this.charge.policy;
  }

  get bucket(): string {
    return this.counter.bucket;
  }

  get limit(): number {
    return this.charge.limit;
  }

  get resetsAt(): number | undefined {
    const { end } = this.counter.window;
    return Number.isFinite(end) ? end : undefined;
  }
}

interface Expired {
  readonly held: readonly Held[];
  /** By the monotonic clock. */
  readonly until: number;
}

const nothing = { used: 0, reserved: 0 } as const;

/** Milliseconds between two looks at what has expired. */
const tickMs = 250;

/** Milliseconds between two looks at windows that have ended. */
const forgetMs = 60_000;

/** Expired reservations that can still be corrected; the estimates of older ones stay. */
const maxExpired = 100_000;

const toState = (
  { policy, limit }: Pick<Charge, 'policy' | 'limit'>,
  { bucket, used, reserved }: Pick<Counter, 'bucket' | 'used' | 'reserved'>,
  end: number,
): CounterState =>
  Number.isFinite(end)
    ? { policy, bucket, used, reserved, limit, resetsAt: end }
    : { policy, bucket, used, reserved, limit };

/** A reservation is its own answer, and knows when it falls due: one object of each. */
class Reservation<Entry> implements Granted, Due {
  readonly kind = 'granted';
  readonly id: string;
  readonly held: readonly Held[];
  readonly options: ReserveOptions<Entry>;
  slot = -1;
  at = -1;

  constructor(id: string, held: readonly Held[], options: ReserveOptions<Entry>) {
    this.id = id;
    this.held = held;
    this.options = options;
  }

  get counters(): readonly CounterState[] {
    return this.held;
  }
}

/** A grant that is not held: how full the counters are is found when somebody asks. */
class Looked implements Granted {
  readonly kind = 'granted';
  readonly #charges: readonly Charge[];
  readonly #findState: (charge: Charge) => CounterState;

  constructor(charges: readonly Charge[], readState: (charge: Charge) => CounterState) {
    this.#charges = charges;
    this.#findState = readState;
  }

  get counters(): readonly CounterState[] {
    return this.#charges.map(this.#findState);
  }
}

const posted = (
  { charge: { policy, unit }, counter }: Pick<Held, 'charge' | 'counter'>,
  amount: number,
): PostedCharge => ({
  policy,
  bucket: counter.bucket,
  unit,
  amount,
  window: counter.window.start,
});

/** A difference is counted as long as the window lasts, and never takes a counter that was reset below 0. */
const addTo = (counter: Counter, amount: number, now: number): number => {
  if (counter.window.end <= now) return amount;
  const added = Math.max(amount, -counter.used);
  counter.used += added;
  return added;
};

const giveBack = (held: readonly Held[]): void => {
  for (const { amount, counter } of held) counter.reserved -= amount;
};

/**
 * The engine of one process. Each charge takes the same time however many counters there are.
 *
 * A policy has at most 10,000 buckets in a window, so that labels which callers make up cannot fill the memory. What comes
 * after them is counted in one bucket called `*`, by all who share it: nobody gets more than the limit, some get less. It is
 * posted as `*`, too, so that each counter equals the sum of its postings, and a counter that was loaded from the ledger
 * goes on where it was.
 *
 * What is settled is posted at once, and a reservation that expires within a quarter of a second. A process that is killed
 * loses what it had reserved.
 */
export const memoryLimits = <Entry>({ clock, postings }: MemoryLimitsOptions<Entry>): MemoryLimits<Entry> => {
  const now = steadyTime(clock);
  const counters = new MemoryCounters();
  const reservations = new ById<Reservation<Entry>>();
  const expired = new Map<string, Expired>();
  const due = new DueSlots<Reservation<Entry>>(tickMs);
  let timer: { readonly ms: number; readonly stop: () => void } | undefined;
  let forgotAt = clock.monotonic();
  let isClosed = false;

  const taken = (id: string): Reservation<Entry> | undefined => {
    const known = reservations.take(id);
    if (known !== undefined) due.remove(known);
    return known;
  };

  /** Adds amounts to the counters of what was held, in the windows of then. */
  const charged = (held: readonly Held[], amounts: readonly Pick<Charge, 'amount'>[]): readonly PostedCharge[] => {
    const at = now();
    return held.map((each, index) => posted(each, addTo(each.counter, amounts[index]?.amount ?? 0, at)));
  };

  const expire = (reservation: Reservation<Entry>): void => {
    const { id, held, options } = reservation;
    reservations.take(id);
    giveBack(held);
    postings.take({ id, charges: charged(held, held), entry: options.entry });
    expired.set(id, { held, until: clock.monotonic() + correctableMs });
  };

  const forgetExpired = (at: number): void => {
    for (const [id, { until }] of expired) {
      if (until > at && expired.size <= maxExpired) return;
      expired.delete(id);
    }
  };

  const tick = (): void => {
    const at = clock.monotonic();
    timer = undefined;
    for (const reservation of due.take(at)) expire(reservation);
    forgetExpired(at);
    if (at - forgotAt >= forgetMs) {
      forgotAt = at;
      counters.forget(now());
    }
    arm();
  };

  /** One timer: a short one while something is to be done, a long one while there is something to forget. */
  const arm = (): void => {
    const isBusy = reservations.size > 0;
    const ms = isBusy ? tickMs : forgetMs;
    if (isClosed || (timer !== undefined && timer.ms <= ms)) return;
    if (!isBusy && expired.size === 0 && !counters.endsSometime()) return;
    timer?.stop();
    timer = { ms, stop: clock.after(ms, tick) };
  };

  /** Posts the difference of what was used to what was charged when it expired. */
  const correct = (
    id: string,
    held: readonly Held[],
    { charges, entry }: { readonly charges: readonly Charge[]; readonly entry: Entry },
  ): void => {
    expired.delete(id);
    const differences = held.map(({ amount }, index) => ({ amount: (charges[index]?.amount ?? 0) - amount }));
    postings.take({ id: correctionId(id), corrects: id, charges: charged(held, differences), entry });
  };

  const stateAt = (place: Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>, at: number): CounterState => {
    const { end = Number.POSITIVE_INFINITY } = toWindow(place.reset, at);
    return toState(place, counters.find(place, at) ?? { bucket: place.bucket, ...nothing }, end);
  };

  const stateNow = (charge: Charge): CounterState => stateAt(charge, now());

  return {
    reserve(id, charges, options) {
      const known = reservations.get(id);
      if (known !== undefined) return known;
      const at = now();
      const held = new Array<Held>(charges.length);
      let count = 0;
      for (const charge of charges) {
        const counter = counters.at(charge, at);
        if (!admits(charge, counter)) {
          giveBack(held.slice(0, count));
          return { kind: 'refused', counter: toState(charge, counter, counter.window.end) };
        }
        counter.reserved += charge.amount;
        held[count] = new Held(charge, counter);
        count += 1;
      }
      for (const each of held) {
        each.used = each.counter.used;
        each.reserved = each.counter.reserved;
      }
      const reservation = new Reservation(id, held, options);
      due.add(reservation, clock.monotonic() + options.ttlMs);
      reservations.add(reservation);
      arm();
      return reservation;
    },
    settle(id, actual, entry) {
      const late = expired.size === 0 ? undefined : expired.get(id);
      if (late !== undefined && late.until > clock.monotonic() && !isClosed)
        correct(id, late.held, { charges: actual, entry });
      const known = taken(id);
      if (known !== undefined) {
        giveBack(known.held);
        postings.take({ id, charges: charged(known.held, actual), entry });
      }
      arm();
    },
    release(id) {
      const known = taken(id);
      if (known !== undefined) giveBack(known.held);
    },
    look(charges) {
      const at = now();
      for (const charge of charges)
        if (!admits(charge, counters.find(charge, at) ?? nothing))
          return { kind: 'refused', counter: stateAt(charge, at) };
      return new Looked(charges, stateNow);
    },
    async charge(_id, charges) {
      const at = now();
      const held = charges.map((charge) => ({ charge, counter: counters.at(charge, at) }));
      return {
        posted: held.map((each) => posted(each, each.charge.amount)),
        made() {
          const madeAt = now();
          for (const { charge, counter } of held) addTo(counter, charge.amount, madeAt);
          arm();
        },
      };
    },
    async read(places) {
      const at = now();
      return places.map((place) => stateAt(place, at));
    },
    async reset(place) {
      const counter = counters.find(place, now());
      const used = counter?.used ?? 0;
      if (counter !== undefined) counter.used = 0;
      return used;
    },
    load(sums) {
      const at = now();
      // The latest first: a window that is made removes those that have ended by then.
      for (const sum of sums.toSorted((one, other) => other.window - one.window)) {
        const moment = Math.max(at, sum.window);
        if (toWindow(sum.reset, moment).start === sum.window) counters.at(sum, moment).used += sum.used;
      }
      arm();
    },
    size: () => counters.size(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      timer?.stop();
      for (const reservation of reservations.all()) expire(reservation);
    },
  };
};
