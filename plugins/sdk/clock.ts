import type { Timers } from './http/in-process.ts';

/** The gateway's source of time. No other code reads a clock or sets a timer. */
export interface Clock extends Timers {
  /** Returns milliseconds of a monotonic clock. */
  monotonic(): number;
}
