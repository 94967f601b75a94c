import type { CounterSum, Limits } from '../../../../../../plugins/control/metering/counters/limits.ts';
import type { Posting } from '../../../../../../plugins/control/metering/ledger/posting.ts';

/** The ledger entry of an attempt in these tests. */
export interface Note {
  readonly note: string;
}

/** An engine with its own clock, and a ledger that keeps each id once. */
export interface LimitsWorld extends AsyncDisposable {
  /** The limits of the process that is running. */
  readonly limits: Limits<Note>;
  /** Milliseconds since the epoch. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Sets the time of day back or forward. */
  jump(ms: number): Promise<void>;
  /** Returns the postings in the ledger. They include everything that was settled, if time has passed since. */
  ledger(): Promise<ReadonlyMap<string, Posting<Note>>>;
  /** Ends the process, and starts another one with what is left: the sums of the ledger if counters are in memory. */
  restart(sums: readonly CounterSum[]): Promise<void>;
  /** Whether the reservations of a process expire when it ends, instead of when their time is over. */
  readonly expiresAtRestart: boolean;
}

/** The time at which worlds begin: a Thursday, two minutes before the end of a month. */
export const worldStart: number = Date.UTC(2026, 3, 30, 23, 58);
