import type { Upstream } from './http.ts';

/** The gateway's clock, for code that has to wait. No other code sets a timer, so that time can be replayed. */
export interface Timers {
  /** Returns milliseconds since the epoch. */
  wall(): number;
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void;
}

/** Creates the upstream of a provider that answers in process. Called once, when the provider is linked. */
export type InProcess = (timers: Timers) => Upstream;
