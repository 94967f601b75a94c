import type { Upstream } from './http.ts';

/** The gateway's clock, for code that must wait: nothing else sets a timer, so that time can be replayed. */
export interface Timers {
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Calls back after `ms` milliseconds; returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void;
}

/** Makes the upstream of a provider that answers in process: called once, when it is linked. */
export type InProcess = (timers: Timers) => Upstream;
