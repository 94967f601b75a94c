import type { Reset } from '../../kernel/limits/limit-policy.ts';
import type { PostedCharge } from '../ledger/posting.ts';

/** The amount that an attempt adds to one counter. */
export interface Charge extends Pick<PostedCharge, 'policy' | 'bucket' | 'unit'> {
  /** A whole number of at least 0. */
  readonly amount: number;
  /** A whole number of at least 0. */
  readonly limit: number;
  readonly reset: Reset;
}

/** The ledger's sum for a counter in one of its windows. */
export interface CounterSum extends Pick<Charge, 'policy' | 'bucket' | 'reset'> {
  /** When the window began, in milliseconds since the epoch; 0 for counters that never start again. */
  readonly window: number;
  /** The sum of its postings. */
  readonly used: number;
}

/** A counter that was set to 0. */
export interface ResetCounter extends Pick<CounterSum, 'window'> {
  /** The sum that it had settled in that window. */
  readonly used: number;
}

/** How full a counter was when a charge was checked against it. */
export interface CounterState {
  readonly policy: string;
  readonly bucket: string;
  readonly used: number;
  readonly reserved: number;
  readonly limit: number;
  /** When it starts again, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number | undefined;
}

export interface Granted {
  readonly kind: 'granted';
  /** In the order of the charges, after the reservation. Computed when read, so that it costs nothing if unused. */
  readonly counters: readonly CounterState[];
}

export interface Refused {
  readonly kind: 'refused';
  /** The first counter that is full. */
  readonly counter: CounterState;
}

/** The counters could not be queried in time. */
export interface Unavailable {
  readonly kind: 'unavailable';
}

/** The answer to charges. */
export type Answer = Granted | Refused | Unavailable;

export interface ReserveOptions<Entry> {
  /** After this many milliseconds, a reservation that was neither settled nor released is charged as reserved. */
  readonly ttlMs: number;
  /**
   * The entry that the ledger stores if the reservation expires. Read only if needed, which for most reservations of a single
   * process is never.
   */
  readonly entry: Entry;
}

/** Charges for usage without a reservation. */
export interface LateCharges {
  /** The charges to pass to the ledger together with the usage; empty if the counters post them themselves. */
  readonly posted: readonly PostedCharge[];
  /** Call this once when the ledger has the charges, and never if they were not written. */
  onStored(): void;
}

/**
 * Counters. A charge of requests is granted if the counter does not exceed its limit afterwards. Any other charge is granted if
 * the settled and reserved amounts are below the limit. A limit of 0 grants nothing.
 */
export interface Limits<Entry> {
  /**
   * Reserves all charges or none. While a reservation is held, its id gets the same answer again, and nothing more is charged. An
   * id that was refused may be used again, but no other id.
   */
  reserve(id: string, charges: readonly Charge[], options: ReserveOptions<Entry>): Answer | Promise<Answer>;
  /**
   * Answers as `reserve` would, without holding anything. If several processes share counters, the answer may be `granted` based
   * on what this process learned within the last second; the decision of `reserve` is exact.
   */
  peek(charges: readonly Charge[]): Answer | Promise<Answer>;
  /**
   * Replaces what was reserved, in the window of the reservation. Call it once. `actual` has the same policies and buckets, in
   * the same order. After the reservation has expired, posts the difference. If the answer was `unavailable` and the attempt was
   * sent nevertheless, `actual` is charged and posted in the current window.
   */
  settle(id: string, actual: readonly Charge[], entry: Entry): void;
  /** Returns what was reserved, because the attempt was not sent. A reservation that has expired stays charged. */
  release(id: string): void;
  /**
   * Charges usage that is known only now and for which nothing was reserved, in the current windows. An id may be used again for
   * a week, for example if it is not known whether the ledger was written: it is charged once. Rejects if the counters cannot be
   * queried.
   */
  charge(id: string, charges: readonly Charge[], entry: Entry): Promise<LateCharges>;
  /** Returns the state of counters, to show to people. */
  read(counters: readonly Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>[]): Promise<readonly CounterState[]>;
  /**
   * Sets what a counter has settled in its window to 0, on behalf of an operator. Resolves with the previous amount, which the
   * ledger has to subtract so that the counter equals its sum. Rejects if the counters cannot be queried.
   */
  reset(counter: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<ResetCounter>;
  /**
   * Resolves when everything settled so far survives the end of this process, or cannot. If absent, it does so immediately. With
   * `tried`, does not wait for a ledger that cannot be written at the moment. Never rejects.
   */
  settled?(until?: 'written' | 'tried'): Promise<void>;
  /** Whether the counters cannot be queried at the moment; if absent, they always can. */
  isUnavailable?(): boolean;
  close(): Promise<void>;
}

/** The amounts of a counter in one window. */
interface Fill {
  readonly used: number;
  readonly reserved: number;
}

/** Whether a counter grants a charge. This is the rule of `Limits`; the script of the Redis engine repeats it in Lua. */
export const admits = ({ unit, amount, limit }: Pick<Charge, 'unit' | 'amount' | 'limit'>, fill: Fill): boolean => {
  const total = fill.used + fill.reserved;
  return limit > 0 && (unit === 'requests' ? total + amount <= limit : total < limit);
};

/** The limits of both engines. */

/** The maximum number of buckets of one policy in one window. Further buckets share `sharedBucket`. */
export const maxBuckets = 10_000;

/** The bucket of everything that found no place for a bucket of its own. */
export const sharedBucket = '*';

/** How long an expired reservation can still be corrected, in milliseconds. */
export const correctableMs: number = 60 * 60 * 1000;

/** How long a charge without a reservation is remembered, in milliseconds. */
export const rememberedMs: number = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the id of the posting that corrects the estimate of an attempt. It is always the same, so that the ledger stores it
 * once.
 */
export const correctionId = (id: string): string => `${id}~corrected`;
