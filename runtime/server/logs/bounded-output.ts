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
 * A stream for texts that may be lost but must not accumulate: a reader that stops, or a disk without room, costs a bounded
 * amount of memory, and whoever reads later learns how much is missing. Whoever gives the stream listens to its errors.
 */
export const boundedOutput = ({ stream, lost, bytes = 1024 * 1024 }: BoundedOutputOptions): BoundedOutput => {
  /** How many were dropped of which no line reports yet. */
  let dropped = 0;
  let allDropped = 0;
  let isReporting = false;
  const flushed = (): Promise<void> =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      // Texts are written one after another, so that an empty one is done when all before it are.
      else stream.write('', () => resolve());
    });
  const drop = (): void => {
    dropped += 1;
    allDropped += 1;
  };
  const report = async (): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    await flushed();
    isReporting = false;
    const count = dropped;
    dropped = 0;
    if (stream.destroyed) return;
    stream.write(lost(count), (error) => {
      if (error != null) dropped += count;
    });
  };
  const written = (error?: Error | null): void => {
    if (error != null) drop();
    else if (dropped > 0) void report();
  };
  return {
    write: (text) => {
      if (stream.writableLength < bytes) {
        stream.write(text, written);
        return;
      }
      drop();
      void report();
    },
    flushed,
    dropped: () => allDropped,
  };
};
