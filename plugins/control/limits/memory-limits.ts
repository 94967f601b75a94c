import type { Clock } from '../identity/clock.ts';
import { admits } from './admits.ts';
import { correctableMs } from './bounds.ts';
import { correctionId } from './correction-id.ts';
import { type Due, dueSlots } from './due-slots.ts';
import type {
  Charge,
  CounterState,
  CounterSum,
  Granted,
  Limits,
  PostedCharge,
  Refused,
  ReserveOptions,
  TakenPostings,
} from './limits.ts';
import { type Found, memoryCounters } from './memory-counters.ts';
import { steadyTime } from './steady-time.ts';
import { windowOf } from './windows.ts';

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

interface Held extends Found {
  readonly charge: Charge;
}

interface Reservation<Entry> {
  readonly id: string;
  readonly held: readonly Held[];
  readonly entry: Entry;
  readonly granted: Granted;
  due?: Due<Reservation<Entry>>;
}

interface Expired {
  readonly held: readonly Held[];
  /** By the monotonic clock. */
  readonly until: number;
}

/** Milliseconds between two looks at what has expired. */
const tickMs = 250;

/** Milliseconds between two looks at windows that have ended. */
const forgetMs = 60_000;

/** Expired reservations that can still be corrected; the estimates of older ones stay. */
const mostExpired = 100_000;

const stateOf = ({ policy, limit }: Charge, { window, counter }: Found): CounterState => {
  const { bucket, used, reserved } = counter;
  return Number.isFinite(window.end)
    ? { policy, bucket, used, reserved, limit, resetsAt: window.end }
    : { policy, bucket, used, reserved, limit };
};

const posted = ({ charge: { policy, unit }, window, counter }: Held, amount: number): PostedCharge => ({
  policy,
  bucket: counter.bucket,
  unit,
  amount,
  window: window.start,
});

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
  const counters = memoryCounters();
  const reservations = new Map<string, Reservation<Entry>>();
  const expired = new Map<string, Expired>();
  const due = dueSlots<Reservation<Entry>>(tickMs);
  let timer: { readonly ms: number; readonly stop: () => void } | undefined;
  let forgotAt = clock.monotonic();
  let isClosed = false;

  /** The difference is counted as long as the window lasts, and never takes a counter that was reset below 0. */
  const add = ({ window, counter }: Held, amount: number): number => {
    if (window.end <= now()) return amount;
    const added = Math.max(amount, -counter.used);
    counter.used += added;
    return added;
  };

  const taken = (id: string): Reservation<Entry> | undefined => {
    const known = reservations.get(id);
    if (known === undefined) return undefined;
    reservations.delete(id);
    if (known.due !== undefined) due.remove(known.due);
    return known;
  };

  const giveBack = (held: readonly Held[]): void => {
    for (const { charge, counter } of held) counter.reserved -= charge.amount;
  };

  const post = (
    id: string,
    held: readonly Held[],
    rest: { readonly amounts: readonly number[]; readonly entry: Entry },
  ) => {
    giveBack(held);
    const charges = held.map((each, index) => posted(each, add(each, rest.amounts[index] ?? 0)));
    postings.take({ id, charges, entry: rest.entry });
  };

  const expire = ({ id, held, entry }: Reservation<Entry>): void => {
    reservations.delete(id);
    post(id, held, { amounts: held.map((each) => each.charge.amount), entry });
    expired.set(id, { held, until: clock.monotonic() + correctableMs });
  };

  const forgetExpired = (): void => {
    for (const [id, { until }] of expired) {
      if (until > clock.monotonic() && expired.size <= mostExpired) return;
      expired.delete(id);
    }
  };

  const forgetWindows = (): void => {
    if (clock.monotonic() - forgotAt < forgetMs) return;
    forgotAt = clock.monotonic();
    counters.forget(now());
  };

  const tick = (): void => {
    timer = undefined;
    for (const reservation of due.take(clock.monotonic())) expire(reservation);
    forgetExpired();
    forgetWindows();
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

  const correct = (
    id: string,
    { held }: Expired,
    rest: { readonly actual: readonly Charge[]; readonly entry: Entry },
  ) => {
    expired.delete(id);
    const charges = held.map((each, index) =>
      posted(each, add(each, (rest.actual[index]?.amount ?? 0) - each.charge.amount)),
    );
    postings.take({ id: correctionId(id), corrects: id, charges, entry: rest.entry });
  };

  const stateAt = (place: Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>, at: number): CounterState => {
    const { end } = windowOf(place.reset, at);
    const { policy, limit } = place;
    const { bucket, used, reserved } = counters.find(place, at) ?? { bucket: place.bucket, used: 0, reserved: 0 };
    return end === undefined
      ? { policy, bucket, used, reserved, limit }
      : { policy, bucket, used, reserved, limit, resetsAt: end };
  };

  return {
    reserve(id, charges, { ttlMs, entry }) {
      const known = reservations.get(id);
      if (known !== undefined) return known.granted;
      const at = now();
      const held: Held[] = [];
      for (const each of charges) {
        const found = counters.at(each, at);
        if (!admits(each, found.counter)) {
          giveBack(held);
          return { kind: 'refused', counter: stateOf(each, found) };
        }
        found.counter.reserved += each.amount;
        held.push({ window: found.window, counter: found.counter, charge: each });
      }
      const granted: Granted = { kind: 'granted', counters: held.map((each) => stateOf(each.charge, each)) };
      const reservation: Reservation<Entry> = { id, held, entry, granted };
      reservation.due = due.add(reservation, clock.monotonic() + ttlMs);
      reservations.set(id, reservation);
      arm();
      return granted;
    },
    settle(id, actual, entry) {
      const late = expired.size === 0 ? undefined : expired.get(id);
      if (late !== undefined && late.until > clock.monotonic() && !isClosed) correct(id, late, { actual, entry });
      const known = taken(id);
      if (known !== undefined) post(id, known.held, { amounts: actual.map(({ amount }) => amount), entry });
      arm();
    },
    release(id) {
      giveBack(taken(id)?.held ?? []);
    },
    look(charges) {
      const at = now();
      const states: CounterState[] = [];
      for (const charge of charges) {
        const state = stateAt(charge, at);
        if (!admits(charge, state)) return { kind: 'refused', counter: state };
        states.push(state);
      }
      return { kind: 'granted', counters: states };
    },
    async charge(_id, charges) {
      const at = now();
      const held = charges.map((each) => {
        const { window, counter } = counters.at(each, at);
        return { window, counter, charge: each };
      });
      return {
        posted: held.map((each) => posted(each, each.charge.amount)),
        made() {
          for (const each of held) add(each, each.charge.amount);
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
        if (windowOf(sum.reset, moment).start === sum.window) counters.at(sum, moment).counter.used += sum.used;
      }
      arm();
    },
    size: () => counters.size(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      timer?.stop();
      for (const reservation of reservations.values()) expire(reservation);
    },
  };
};
