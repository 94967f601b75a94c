/** The gateway's source of time. */
export interface Clock {
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Calls back after `ms` milliseconds; returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void;
}
