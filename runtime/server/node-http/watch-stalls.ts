import type { Socket } from 'node:net';
import type { Clock } from '../../ports/clock.ts';

export interface StallWatchOptions {
  readonly clock: Clock;
  /** Milliseconds without a byte in either direction that are too long where the client should send or take some. */
  readonly stallMs: number;
  /** Whether it is the client that the other side waits for. */
  readonly isClientsTurn: (socket: Socket) => boolean;
  readonly onStalled: (socket: Socket) => void;
}

interface Progress {
  bytes: number;
  /** When the silence was first seen; `undefined` while there is none. */
  since: number | undefined;
}

/** A silence is noticed after at most half more than it may last. */
const looksPerStall = 4;

/** Bytes that have gone through a socket; what still waits to be written has not. */
const bytesMoved = (socket: Socket): number => socket.bytesRead + socket.bytesWritten - socket.writableLength;

/**
 * Watches connections for clients that stall; returns how to stop. One timer looks at all of them: a time-out of each socket would
 * be set anew with every chunk that goes through it.
 */
export const watchStalls = (
  connections: ReadonlySet<Socket>,
  { clock, stallMs, isClientsTurn, onStalled }: StallWatchOptions,
): (() => void) => {
  const progress = new WeakMap<Socket, Progress>();
  const look = (): void => {
    const now = clock.monotonic();
    for (const socket of connections) {
      const bytes = bytesMoved(socket);
      const last = progress.get(socket);
      if (last === undefined) progress.set(socket, { bytes, since: now });
      else if (last.bytes !== bytes || !isClientsTurn(socket)) {
        last.bytes = bytes;
        last.since = undefined;
      } else {
        last.since ??= now;
        if (now - last.since >= stallMs) onStalled(socket);
      }
    }
    stopTimer = clock.after(stallMs / looksPerStall, look);
  };
  let stopTimer = clock.after(stallMs / looksPerStall, look);
  return () => stopTimer();
};
