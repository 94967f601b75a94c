import type { Clock } from '../../ports/clock.ts';

export interface StallWatchOptions<Watched> {
  readonly clock: Clock;
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
  /** When the silence was first noticed. `undefined` while there is none. */
  since: number | undefined;
}

/** A stall is noticed late by at most half of the allowed time. */
const looksPerStall = 4;

/**
 * Watches connections, or streams of them, for stalled clients. Returns a function that stops this. A single timer checks all of
 * them, because separate time-outs would have to be reset with every chunk.
 */
export const watchStalls = <Watched extends object>(
  all: ReadonlySet<Watched>,
  { clock, stallMs, bytesMoved, isClientsTurn, onStalled }: StallWatchOptions<Watched>,
): (() => void) => {
  const progress = new WeakMap<Watched, Progress>();
  const look = (): void => {
    const now = clock.monotonic();
    for (const watched of all) {
      const bytes = bytesMoved(watched);
      const last = progress.get(watched);
      if (last === undefined) progress.set(watched, { bytes, since: now });
      else if (last.bytes !== bytes || !isClientsTurn(watched)) {
        last.bytes = bytes;
        last.since = undefined;
      } else {
        last.since ??= now;
        if (now - last.since >= stallMs) onStalled(watched);
      }
    }
    stopTimer = clock.after(stallMs / looksPerStall, look);
  };
  let stopTimer = clock.after(stallMs / looksPerStall, look);
  return () => stopTimer();
};
