/** Time as the runtime sees it. Nothing else reads a clock or sets a timer. */
export interface Clock {
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
  /** Calls back after `ms` milliseconds; returns how to call it off. */
  after(ms: number, run: () => void): () => void;
}
