import type { Writable } from 'node:stream';

export interface BoundedOutputOptions {
  readonly stream: Pick<Writable, 'write' | 'writableLength' | 'destroyed'>;
  /** The line that reports how many texts were dropped; it is written in their place. */
  readonly lost: (count: number) => string;
  /** Roughly the number of bytes that are buffered until they are read. */
  readonly bytes?: number;
}

export interface BoundedOutput {
  write(text: string): void;
  /** Settles when all that was written has been read, or can no longer be. */
  flushed(): Promise<void>;
  /** How many texts were dropped so far. */
  dropped(): number;
}

/**
 * A stream for texts that may be lost but must not accumulate: a reader that stops costs a bounded amount of memory, and
 * learns how much it missed when it continues.
 */
export const boundedOutput = ({ stream, lost, bytes = 1024 * 1024 }: BoundedOutputOptions): BoundedOutput => {
  let dropped = 0;
  let allDropped = 0;
  const flushed = (): Promise<void> =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      // Texts are written one after another, so that an empty one is done when all before it are.
      else stream.write('', () => resolve());
    });
  const report = async (): Promise<void> => {
    await flushed();
    const count = dropped;
    dropped = 0;
    if (!stream.destroyed) stream.write(lost(count));
  };
  return {
    write: (text) => {
      if (stream.writableLength < bytes) stream.write(text);
      else {
        dropped += 1;
        allDropped += 1;
        if (dropped === 1) void report();
      }
    },
    flushed,
    dropped: () => allDropped,
  };
};
