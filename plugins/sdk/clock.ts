import type { Timers } from './http/in-process.ts';

/** The gateway's source of time: nothing else reads a clock or sets a timer. */
export interface Clock extends Timers {
  /** Milliseconds that never go back. */
  monotonic(): number;
}
