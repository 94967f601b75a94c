import type { CounterSum, Limits } from '../../../../../../plugins/control/metering/counters/limits.ts';
import type { Posting } from '../../../../../../plugins/control/metering/ledger/posting.ts';

/** What the tests keep in the ledger of an attempt. */
export interface Note {
  readonly note: string;
}

/** An engine on a clock of its own, and a ledger that keeps each id once. */
export interface LimitsWorld extends AsyncDisposable {
  /** That of the process that runs now. */
  readonly limits: Limits<Note>;
  /** Milliseconds since the epoch. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Sets the time of day back or forward. */
  jump(ms: number): Promise<void>;
  /** What the ledger has got; all that was settled, where time has passed since. */
  ledger(): Promise<ReadonlyMap<string, Posting<Note>>>;
  /** The process ends, and another one begins with what is left: where counters are in memory, the sums of the ledger. */
  restart(sums: readonly CounterSum[]): Promise<void>;
  /** Whether what a process has reserved expires when it ends, or when its time is over. */
  readonly expiresAtRestart: boolean;
}

/** The time at which worlds begin: a Thursday, two minutes before the end of a month. */
export const worldStart: number = Date.UTC(2026, 3, 30, 23, 58);
