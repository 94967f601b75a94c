import { toWindow } from '../../../../../../plugins/control/kernel/limits/limit-policy.ts';
import type {
  Charge,
  CounterState,
  CounterSum,
  Granted,
  Refused,
  ResetCounter,
} from '../../../../../../plugins/control/metering/counters/limits.ts';
import type { PostedCharge, Posting } from '../../../../../../plugins/control/metering/ledger/posting.ts';
import { hourMs } from '../../../../../../schema/durations.ts';
import type { Note } from './limits-world.ts';

interface Held {
  readonly charge: Charge;
  readonly start: number;
  readonly end: number;
}

interface Reservation {
  readonly held: readonly Held[];
  readonly deadline: number;
  readonly note: Note;
  state: 'held' | 'expired' | 'over';
  /** When it expired; infinite before. */
  expiredAt: number;
  /** Whether its process has ended, so that nobody settles it. */
  isOrphan: boolean;
  /** Whether it was never sent, so that nobody settles it, although it may have expired before. */
  isReleased: boolean;
  answer: Granted;
}

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'>;

/** A simple model of an engine. It searches everything that was ever reserved and posted each time. */
export class LimitsModel {
  readonly reservations: Map<string, Reservation> = new Map();
  readonly ledger: Map<string, Posting<Note>> = new Map();
  /** The amounts that operators have taken off counters. */
  readonly resets: (PostedCharge & { readonly reset: Charge['reset'] })[] = [];
  /** The amounts that were used beyond their reservations, and the largest charge. */
  overrun = 0;
  largest = 0;
  now: number;

  constructor(start: number) {
    this.now = start;
  }

  used({ policy, bucket }: Place, start: number): number {
    const postings = [...this.ledger.values()].flatMap(({ charges }) => charges);
    return [...postings, ...this.resets]
      .filter((each) => each.policy === policy && each.bucket === bucket && each.window === start)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  state(place: Place, limit: number): CounterState {
    const { start, end } = toWindow(place.reset, this.now);
    const { policy, bucket } = place;
    const reserved = [...this.reservations.values()]
      .filter(({ state }) => state === 'held')
      .flatMap(({ held }) => held)
      .filter((each) => each.charge.policy === policy && each.charge.bucket === bucket && each.start === start)
      .reduce((sum, { charge }) => sum + charge.amount, 0);
    const state = { policy, bucket, used: this.used(place, start), reserved, limit };
    return end === undefined ? state : { ...state, resetsAt: end };
  }

  look(charges: readonly Charge[]): Granted | Refused {
    const counters = charges.map((charge) => this.state(charge, charge.limit));
    for (const [index, { unit, amount, limit }] of charges.entries()) {
      const counter = counters[index];
      if (counter === undefined) continue;
      const total = counter.used + counter.reserved;
      const fits = unit === 'requests' ? total + amount <= limit : total < limit;
      if (!fits || limit === 0) return { kind: 'refused', counter };
    }
    return { kind: 'granted', counters };
  }

  reserve(id: string, charges: readonly Charge[], { ttlMs, entry }: { ttlMs: number; entry: Note }): Granted | Refused {
    const known = this.reservations.get(id);
    if (known?.state === 'held') return known.answer;
    const looked = this.look(charges);
    if (looked.kind === 'refused') return looked;
    const held = charges.map((charge) => {
      const { start, end = Number.POSITIVE_INFINITY } = toWindow(charge.reset, this.now);
      return { charge, start, end };
    });
    const reservation: Reservation = {
      held,
      deadline: this.now + ttlMs,
      note: entry,
      state: 'held',
      expiredAt: Number.POSITIVE_INFINITY,
      isOrphan: false,
      isReleased: false,
      answer: { kind: 'granted', counters: [] },
    };
    this.reservations.set(id, reservation);
    reservation.answer = { kind: 'granted', counters: charges.map((charge) => this.state(charge, charge.limit)) };
    this.largest = Math.max(this.largest, ...charges.map(({ amount }) => amount));
    return reservation.answer;
  }

  private post(id: string, { held }: Reservation, rest: { amounts: readonly number[]; note: Note; corrects?: string }) {
    const charges = held.map(({ charge, start, end }, index): PostedCharge => {
      const { policy, bucket, unit } = charge;
      const amount = rest.amounts[index] ?? 0;
      // If an operator has reset the counter to 0, less can be given back.
      const least = end > this.now ? -this.used(charge, start) : Number.NEGATIVE_INFINITY;
      return { policy, bucket, unit, amount: Math.max(amount, least), window: start };
    });
    const { note, corrects } = rest;
    this.ledger.set(id, { id, charges, entry: note, ...(corrects === undefined ? {} : { corrects }) });
  }

  settle(id: string, actual: readonly Charge[], note: Note): void {
    const reservation = this.reservations.get(id);
    if (reservation === undefined || reservation.state === 'over') return;
    const isLate = reservation.state === 'expired';
    if (this.now >= reservation.expiredAt + hourMs) return;
    const estimates = reservation.held.map(({ charge }) => charge.amount);
    const differences = actual.map(({ amount }, index) => amount - (estimates[index] ?? 0));
    this.overrun += Math.max(0, ...differences);
    reservation.state = 'over';
    if (isLate) this.post(`${id}~corrected`, reservation, { amounts: differences, note, corrects: id });
    else this.post(id, reservation, { amounts: actual.map(({ amount }) => amount), note });
  }

  release(id: string): void {
    const reservation = this.reservations.get(id);
    if (reservation === undefined) return;
    reservation.isReleased = true;
    if (reservation.state === 'held') reservation.state = 'over';
  }

  private expire(id: string, reservation: Reservation): void {
    reservation.state = 'expired';
    reservation.expiredAt = this.now;
    this.post(id, reservation, {
      amounts: reservation.held.map(({ charge }) => charge.amount),
      note: reservation.note,
    });
  }

  pass(ms: number): void {
    this.now += ms;
    for (const [id, each] of this.reservations)
      if (each.state === 'held' && each.deadline <= this.now) this.expire(id, each);
  }

  restart(expiresNow: boolean): void {
    for (const [id, each] of this.reservations) {
      each.isOrphan = true;
      if (expiresNow && each.state === 'held') this.expire(id, each);
    }
  }

  reset(place: Place & Pick<Charge, 'unit'>): ResetCounter {
    const { start: window } = toWindow(place.reset, this.now);
    const used = this.used(place, window);
    this.resets.push({ ...place, amount: -used, window });
    return { used, window };
  }

  /** Returns the sums of counters as a ledger reports them. */
  sums(places: readonly Place[]): readonly CounterSum[] {
    return places.map((place) => {
      const { start } = toWindow(place.reset, this.now);
      return { ...place, window: start, used: this.used(place, start) };
    });
  }
}
