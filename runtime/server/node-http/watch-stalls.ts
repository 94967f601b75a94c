import type { Clock } from '../../ports/clock.ts';

export interface StallWatchOptions<Watched> {
  readonly clock: Pick<Clock, 'after'>;
  /** How many milliseconds without a byte in either direction are too long when it is the client's turn. */
  readonly stallMs: number;
  /** Returns how many bytes have passed through it. */
  readonly bytesMoved: (watched: Watched) => number;
  /** Whether the other side waits for the client. */
  readonly isClientsTurn: (watched: Watched) => boolean;
  readonly onStalled: (watched: Watched) => void;
}

interface Progress {
  bytes: number;
  /** How many looks in succession have found no progress although it was the client's turn. */
  silentLooks: number;
}

/** A stall is noticed late by at most a quarter of the allowed time. */
const looksPerStall = 4;

/**
 * Watches connections, or streams of them, for stalled clients. Returns a function that stops this. A single timer checks all of
 * them, because separate time-outs would have to be reset with every chunk. It counts looks instead of comparing times, because
 * a client does not stall while this process is suspended or has no processor time.
 */
export const watchStalls = <Watched extends object>(
  all: ReadonlySet<Watched>,
  { clock, stallMs, bytesMoved, isClientsTurn, onStalled }: StallWatchOptions<Watched>,
): (() => void) => {
  const progress = new WeakMap<Watched, Progress>();
  const look = (): void => {
    for (const watched of all) {
      const bytes = bytesMoved(watched);
      const last = progress.get(watched);
      if (last === undefined) progress.set(watched, { bytes, silentLooks: 0 });
      else if (last.bytes !== bytes || !isClientsTurn(watched)) {
        last.bytes = bytes;
        last.silentLooks = 0;
      } else {
        last.silentLooks += 1;
        if (last.silentLooks >= looksPerStall) onStalled(watched);
      }
    }
    stopTimer = clock.after(stallMs / looksPerStall, look);
  };
  let stopTimer = clock.after(stallMs / looksPerStall, look);
  return () => stopTimer();
};
