import type { Clock } from '../../../sdk/clock.ts';
import { toWindow } from '../../kernel/limits/limit-policy.ts';
import type { TakenPostings } from '../ledger/posting.ts';
import { ById } from './by-id.ts';
import { createSteadyClock } from './create-steady-clock.ts';
import { type Due, DueSlots } from './due-slots.ts';
import {
  admits,
  type Charge,
  type CounterState,
  type CounterSum,
  correctableMs,
  correctionId,
  type Granted,
  type LateCharges,
  type Limits,
  type Refused,
  type ReserveOptions,
  type ResetCounter,
} from './limits.ts';
import { addTo, giveBack, HeldCharge, MemoryCounters, toPosted, toState, UnheldGrant } from './memory-counters.ts';

const nothing = { used: 0, reserved: 0 } as const;

/** The milliseconds between two checks for expired reservations. */
const tickMs = 250;

/** The milliseconds between two checks for windows that have ended. */
const forgetMs = 60_000;

/** The maximum number of expired reservations that can still be corrected. Older ones keep their estimates. */
const maxExpired = 100_000;

/** A reservation, which is also the answer to it and the item that falls due, so that only one object is created. */
class Reservation<Entry> implements Granted, Due {
  readonly kind = 'granted';
  readonly id: string;
  readonly held: readonly HeldCharge[];
  readonly options: ReserveOptions<Entry>;
  slot = -1;
  at = -1;

  constructor(id: string, held: readonly HeldCharge[], options: ReserveOptions<Entry>) {
    this.id = id;
    this.held = held;
    this.options = options;
  }

  get counters(): readonly CounterState[] {
    return this.held;
  }
}

/**
 * Counts in this process only, and answers synchronously. Each charge takes the same time, however many counters there are.
 *
 * A policy has at most 10,000 buckets in a window, so that labels that callers invent cannot fill the memory. Further buckets are
 * counted together in a bucket called `*`, whose limit they share: nobody gets more than the limit, some get less. It is also
 * posted as `*`, so that each counter equals the sum of its postings, and a counter that was loaded from the ledger continues
 * where it was.
 *
 * Settlements are posted immediately, and expired reservations within a quarter of a second. A process that is killed loses what
 * it had reserved.
 */
export class MemoryLimits<Entry> implements Limits<Entry> {
  readonly #clock: Clock;
  readonly #postings: TakenPostings<Entry>;
  readonly #now: () => number;
  readonly #counters = new MemoryCounters();
  readonly #reservations = new ById<Reservation<Entry>>();
  /** Expired charges that can be corrected, each until a time of the monotonic clock. */
  readonly #expired = new Map<string, { readonly held: readonly HeldCharge[]; readonly until: number }>();
  readonly #due = new DueSlots<Reservation<Entry>>(tickMs);
  #timer: { readonly ms: number; readonly stop: () => void } | undefined;
  #forgotAt: number;
  #isClosed = false;
  readonly #stateNow = (charge: Charge): CounterState => this.#stateAt(charge, this.#now());

  constructor({ clock, postings }: { readonly clock: Clock; readonly postings: TakenPostings<Entry> }) {
    this.#clock = clock;
    this.#postings = postings;
    this.#now = createSteadyClock(clock);
    this.#forgotAt = clock.monotonic();
  }

  reserve(id: string, charges: readonly Charge[], options: ReserveOptions<Entry>): Granted | Refused {
    const known = this.#reservations.get(id);
    if (known !== undefined) return known;
    const at = this.#now();
    const held = new Array<HeldCharge>(charges.length);
    let count = 0;
    for (const charge of charges) {
      const counter = this.#counters.at(charge, at);
      if (!admits(charge, counter)) {
        giveBack(held.slice(0, count));
        return { kind: 'refused', counter: this.#stateAt(charge, at) };
      }
      counter.reserved += charge.amount;
      held[count] = new HeldCharge(charge, counter);
      count += 1;
    }
    for (const each of held) {
      each.used = each.counter.used;
      each.reserved = each.counter.reserved;
    }
    const reservation = new Reservation(id, held, options);
    this.#due.add(reservation, this.#clock.monotonic() + options.ttlMs);
    this.#reservations.add(reservation);
    this.#arm();
    return reservation;
  }

  peek(charges: readonly Charge[]): Granted | Refused {
    const at = this.#now();
    for (const charge of charges)
      if (!admits(charge, this.#counters.find(charge, at) ?? nothing))
        return { kind: 'refused', counter: this.#stateAt(charge, at) };
    return new UnheldGrant(charges, this.#stateNow);
  }

  settle(id: string, actual: readonly Charge[], entry: Entry): void {
    const late = this.#expired.size === 0 ? undefined : this.#expired.get(id);
    if (late !== undefined && late.until > this.#clock.monotonic() && !this.#isClosed) {
      this.#expired.delete(id);
      // The difference between what was used and what was charged at expiry.
      const differences = late.held.map(({ amount }, index) => ({ amount: (actual[index]?.amount ?? 0) - amount }));
      const charges = this.#charge(late.held, differences);
      this.#postings.take({ id: correctionId(id), corrects: id, charges, entry });
    }
    const known = this.#take(id);
    if (known !== undefined) {
      giveBack(known.held);
      this.#postings.take({ id, charges: this.#charge(known.held, actual), entry });
    }
    this.#arm();
  }

  /**
   * Settles an attempt whose reservation was not answered. If it is not held, it is charged and posted in the current windows.
   */
  settleUnanswered(id: string, actual: readonly Charge[], entry: Entry): void {
    if (this.#reservations.get(id) !== undefined || this.#expired.has(id)) {
      this.settle(id, actual, entry);
      return;
    }
    const at = this.#now();
    const held = actual.map((charge) => new HeldCharge(charge, this.#counters.at(charge, at)));
    this.#postings.take({ id, charges: this.#charge(held, actual), entry });
    this.#arm();
  }

  release(id: string): void {
    const known = this.#take(id);
    if (known !== undefined) giveBack(known.held);
  }

  async charge(_id: string, charges: readonly Charge[]): Promise<LateCharges> {
    return this.chargeNow(charges);
  }

  /** Does the same synchronously. */
  chargeNow(charges: readonly Charge[]): LateCharges {
    const at = this.#now();
    const held = charges.map((charge) => ({ charge, counter: this.#counters.at(charge, at) }));
    return {
      posted: held.map((each) => toPosted(each, each.charge.amount)),
      onStored: () => {
        const madeAt = this.#now();
        for (const { charge, counter } of held) addTo(counter, charge.amount, madeAt);
        this.#arm();
      },
    };
  }

  async read(
    places: readonly Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>[],
  ): Promise<readonly CounterState[]> {
    const at = this.#now();
    return places.map((place) => this.#stateAt(place, at));
  }

  async reset(place: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<ResetCounter> {
    const at = this.#now();
    const counter = this.#counters.find(place, at);
    const used = counter?.used ?? 0;
    if (counter !== undefined) counter.used = 0;
    return { used, window: toWindow(place.reset, at).start };
  }

  /**
   * Adds the ledger's sums to counters. Call it once, before the first reservation. Sums of windows that have ended are ignored.
   * Sums of future windows, which a clock that was ahead has opened, are kept for them.
   */
  load(sums: readonly CounterSum[]): void {
    const at = this.#now();
    // The latest first, because a new window removes those that have ended by then.
    for (const sum of sums.toSorted((one, other) => other.window - one.window)) {
      const moment = Math.max(at, sum.window);
      if (toWindow(sum.reset, moment).start === sum.window) this.#counters.at(sum, moment).used += sum.used;
    }
    this.#arm();
  }

  /** Expires held reservations with such an entry immediately, because nobody will settle them. */
  expireHeld(isOf: (entry: Entry) => boolean): void {
    for (const reservation of this.#reservations.all())
      if (isOf(reservation.options.entry)) {
        this.#due.remove(reservation);
        this.#expire(reservation);
      }
  }

  /** Returns the number of counters in memory. */
  size(): number {
    return this.#counters.size();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.stop();
    for (const reservation of this.#reservations.all()) this.#expire(reservation);
  }

  #take(id: string): Reservation<Entry> | undefined {
    const known = this.#reservations.take(id);
    if (known !== undefined) this.#due.remove(known);
    return known;
  }

  /** Adds amounts to the counters of held charges, in the windows of the reservation. */
  #charge(held: readonly HeldCharge[], amounts: readonly Pick<Charge, 'amount'>[]) {
    const at = this.#now();
    return held.map((each, index) => toPosted(each, addTo(each.counter, amounts[index]?.amount ?? 0, at)));
  }

  #expire({ id, held, options }: Reservation<Entry>): void {
    this.#reservations.take(id);
    giveBack(held);
    this.#postings.take({ id, charges: this.#charge(held, held), entry: options.entry });
    this.#expired.set(id, { held, until: this.#clock.monotonic() + correctableMs });
  }

  #forgetExpired(at: number): void {
    for (const [id, { until }] of this.#expired) {
      if (until > at && this.#expired.size <= maxExpired) return;
      this.#expired.delete(id);
    }
  }

  readonly #tick = (): void => {
    const at = this.#clock.monotonic();
    this.#timer = undefined;
    for (const reservation of this.#due.take(at)) this.#expire(reservation);
    this.#forgetExpired(at);
    if (at - this.#forgotAt >= forgetMs) {
      this.#forgotAt = at;
      this.#counters.forget(this.#now());
    }
    this.#arm();
  };

  /** Sets one timer: a short one while reservations are held, a long one while only windows can end. */
  #arm(): void {
    const isBusy = this.#reservations.size > 0;
    const ms = isBusy ? tickMs : forgetMs;
    if (this.#isClosed || (this.#timer !== undefined && this.#timer.ms <= ms)) return;
    if (!isBusy && this.#expired.size === 0 && !this.#counters.endsSometime()) return;
    this.#timer?.stop();
    this.#timer = { ms, stop: this.#clock.after(ms, this.#tick) };
  }

  #stateAt(place: Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>, at: number): CounterState {
    const { end = Number.POSITIVE_INFINITY } = toWindow(place.reset, at);
    return toState(place, this.#counters.find(place, at) ?? { bucket: place.bucket, ...nothing }, end);
  }
}
