/** What is counted: requests of clients, tokens of both directions, or billionths of a US dollar. */
export type Unit = 'requests' | 'tokens' | 'nanoUsd';

/**
 * When a counter begins anew, in UTC: at each full second, minute, hour or day; on Mondays or Sundays at midnight; on the
 * first day of each month; every so many days, counted from a moment in milliseconds since the epoch; or never.
 */
export type Reset =
  | { readonly every: 'second' | 'minute' | 'hour' | 'day' | 'monday' | 'sunday' | 'month' | 'never' }
  | { readonly every: 'days'; readonly days: number; readonly from: number };

/** What an attempt adds to one counter. */
export interface Charge {
  readonly policy: string;
  /** Which of the policy's counters: one for each tuple of the values that it groups by. `*` is the one that others share. */
  readonly bucket: string;
  readonly unit: Unit;
  /** A whole number, at least 0. */
  readonly amount: number;
  /** A whole number, at least 0. */
  readonly limit: number;
  readonly reset: Reset;
}

/** A charge that was made, in the window of its admission. */
export interface PostedCharge extends Pick<Charge, 'policy' | 'bucket' | 'unit'> {
  /** A whole number; below 0 where a correction gives back a part of an estimate. */
  readonly amount: number;
  /** When the window began, in milliseconds since the epoch; 0 for counters that never begin anew. */
  readonly window: number;
}

/** What the ledger keeps of one attempt. */
export interface Posting<Entry> {
  /** The attempt's, or `correctionId` of it. The ledger keeps each id once. */
  readonly id: string;
  /**
   * The id of the posting of an estimate, if this corrects it: its charges are added to those of that posting, and its entry
   * replaces that entry.
   */
  readonly corrects?: string;
  readonly charges: readonly PostedCharge[];
  /** What is known of the attempt; its estimate, where the reservation expired. */
  readonly entry: Entry;
}

/** What the ledger has of a counter in one of its windows. */
export interface CounterSum extends Pick<Charge, 'policy' | 'bucket' | 'reset'> {
  /** When the window began, in milliseconds since the epoch; 0 for counters that never begin anew. */
  readonly window: number;
  /** The sum of its postings. */
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

export interface ReserveOptions<Entry> {
  /** After so many milliseconds a reservation that was neither settled nor released is charged as it is. */
  readonly ttlMs: number;
  /** What the ledger keeps if it expires. Read when it is needed, which is never in most reservations of one process. */
  readonly entry: Entry;
}

/** Charges of what was used without a reservation. */
export interface LateCharges {
  /** What the ledger is to be given together with what was used; nothing where the counters post it themselves. */
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
  reserve(
    id: string,
    charges: readonly Charge[],
    options: ReserveOptions<Entry>,
  ): Granted | Refused | Unavailable | Promise<Granted | Refused | Unavailable>;
  /**
   * What `reserve` would answer, without holding anything. Where several processes share counters, it may be granted by what
   * this one was told of them within the last second: what it decides of a reservation is exact.
   */
  look(charges: readonly Charge[]): Granted | Refused | Unavailable | Promise<Granted | Refused | Unavailable>;
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
  reset(counter: Pick<Charge, 'policy' | 'bucket' | 'reset'>): Promise<number>;
  /**
   * Resolves when what was settled so far has left this process, or could not; absent: it has left at once. It never rejects.
   */
  settled?(): Promise<void>;
  /** Whether the counters cannot be asked at the moment; absent: they always can. */
  isUnavailable?(): boolean;
  close(): Promise<void>;
}

/** Where postings go one by one, and are kept until they are written. */
export interface TakenPostings<Entry> {
  /** It never throws. */
  take(posting: Posting<Entry>): void;
}

/** Where postings go, once each or, with the same id, again. */
export interface Postings<Entry> {
  post(postings: readonly Posting<Entry>[]): void | Promise<void>;
}
