import type { Reset } from '../../kernel/limits/limit-policy.ts';
import type { PostedCharge } from '../ledger/posting.ts';

/** The amount that an attempt adds to one counter. */
export interface Charge extends Pick<PostedCharge, 'policy' | 'bucket' | 'unit'> {
  /** A whole number, at least 0. */
  readonly amount: number;
  /** A whole number, at least 0. */
  readonly limit: number;
  readonly reset: Reset;
}

/** The sum of the ledger for a counter in one of its windows. */
export interface CounterSum extends Pick<Charge, 'policy' | 'bucket' | 'reset'> {
  /** When the window began, in milliseconds since the epoch; 0 for counters that never begin anew. */
  readonly window: number;
  /** The sum of its postings. */
  readonly used: number;
}

/** A counter that was set to 0. */
export interface ResetCounter extends Pick<CounterSum, 'window'> {
  /** The sum that it had settled in that window. */
  readonly used: number;
}

/** How full a counter is, where a charge looked at it. */
export interface CounterState {
  readonly policy: string;
  readonly bucket: string;
  readonly used: number;
  readonly reserved: number;
  readonly limit: number;
  /** When it begins anew, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number | undefined;
}

export interface Granted {
  readonly kind: 'granted';
  /** In the order of the charges, after the reservation. Made when it is read: who does not need it, does not ask. */
  readonly counters: readonly CounterState[];
}

export interface Refused {
  readonly kind: 'refused';
  /** The first that is full. */
  readonly counter: CounterState;
}

/** The counters could not be asked in time. */
export interface Unavailable {
  readonly kind: 'unavailable';
}

/** The answer to charges. */
export type Answer = Granted | Refused | Unavailable;

export interface ReserveOptions<Entry> {
  /** After so many milliseconds a reservation that was neither settled nor released is charged as it is. */
  readonly ttlMs: number;
  /**
   * The entry that the ledger stores if it expires. Read when it is needed, which is never in most reservations of one
   * process.
   */
  readonly entry: Entry;
}

/** Charges of what was used without a reservation. */
export interface LateCharges {
  /** The charges that the ledger is given together with the usage; nothing where the counters post it themselves. */
  readonly posted: readonly PostedCharge[];
  /** The ledger has it. Called once, or never where it was not written. */
  made(): void;
}

/**
 * Counters. A charge of requests is admitted if it leaves the counter at most at its limit; any other if what was settled
 * and reserved is below the limit. A limit of 0 admits nothing.
 */
export interface Limits<Entry> {
  /**
   * All charges or none. As long as a reservation is held, its id gives the same answer again, and nothing more is charged.
   * An id that was refused may be used again, and no other.
   */
  reserve(id: string, charges: readonly Charge[], options: ReserveOptions<Entry>): Answer | Promise<Answer>;
  /**
   * Answers as `reserve` would, without holding anything. Where several processes share counters, it may be granted by
   * what this one learned of them within the last second: what it decides of a reservation is exact.
   */
  look(charges: readonly Charge[]): Answer | Promise<Answer>;
  /**
   * Once: replaces what was reserved, in the window of the reservation. `actual` has the same policies and buckets, in their
   * order. After expiry it posts the difference. Where the answer was `unavailable`, and the attempt was sent nevertheless,
   * `actual` is charged and posted in the window of the moment.
   */
  settle(id: string, actual: readonly Charge[], entry: Entry): void;
  /** Gives back what was reserved: it was never sent. What has expired stays charged. */
  release(id: string): void;
  /**
   * Charges what was used where nothing was reserved, because it is known only now, in the windows of this moment. An id may
   * be used again for a week, as where it is not known whether the ledger was written: it is charged once. Rejects if the
   * counters cannot be asked.
   */
  charge(id: string, charges: readonly Charge[], entry: Entry): Promise<LateCharges>;
  /** The state of counters, for people. */
  read(counters: readonly Pick<Charge, 'policy' | 'bucket' | 'limit' | 'reset'>[]): Promise<readonly CounterState[]>;
  /**
   * Sets what a counter has settled in its window to 0, as an operator asked. Resolves with what it had: what the ledger is to
   * subtract, so that a counter equals its sum. Rejects if the counters cannot be asked.
   */
  reset(counter: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<ResetCounter>;
  /**
   * Resolves when what was settled so far outlasts this process, or could not; absent: it has left at once. With `tried`, it
   * does not wait for a ledger that cannot be written for now. It never rejects.
   */
  settled?(until?: 'written' | 'tried'): Promise<void>;
  /** Whether the counters cannot be asked at the moment; absent: they always can. */
  isUnavailable?(): boolean;
  close(): Promise<void>;
}

/** The contents of a counter in one window. */
interface Fill {
  readonly used: number;
  readonly reserved: number;
}

/** Whether a counter admits a charge: the rule of the port, which the script of the Redis engine states once more in Lua. */
export const admits = ({ unit, amount, limit }: Pick<Charge, 'unit' | 'amount' | 'limit'>, fill: Fill): boolean => {
  const total = fill.used + fill.reserved;
  return limit > 0 && (unit === 'requests' ? total + amount <= limit : total < limit);
};

/** The bounds of both engines. */

/** The buckets of one policy in one window; what comes after them shares `sharedBucket`. */
export const maxBuckets = 10_000;

/** The bucket of all that found no place for their own. */
export const sharedBucket = '*';

/** Milliseconds for which a reservation that has expired can still be corrected. */
export const correctableMs: number = 60 * 60 * 1000;

/** Milliseconds for which it is remembered that something was charged without a reservation. */
export const rememberedMs: number = 7 * 24 * 60 * 60 * 1000;

/** The id of the posting that corrects the estimate of an attempt: always the same one, so that the ledger keeps it once. */
export const correctionId = (id: string): string => `${id}~corrected`;
