import type { Clock } from '../../ports/clock.ts';

export interface StallWatchOptions<Watched> {
  readonly clock: Clock;
  /** Milliseconds without a byte in either direction that are too long where the client should send or take some. */
  readonly stallMs: number;
  /** Bytes that have gone through it. */
  readonly bytesMoved: (watched: Watched) => number;
  /** Whether it is the client that the other side waits for. */
  readonly isClientsTurn: (watched: Watched) => boolean;
  readonly onStalled: (watched: Watched) => void;
}

interface Progress {
  bytes: number;
  /** When the silence was first seen; `undefined` while there is none. */
  since: number | undefined;
}

/** A silence is noticed after at most half more than it may last. */
const looksPerStall = 4;

/**
 * Watches connections, or streams of them, for clients that stall; returns how to stop. One timer looks at all of them: a time-out of each would be
 * set anew with every chunk that goes through it.
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
