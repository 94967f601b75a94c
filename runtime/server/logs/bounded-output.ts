import type { Writable } from 'node:stream';

/** A `Writable`, or another stream of texts. */
interface TextStream extends Pick<Writable, 'writableLength' | 'destroyed'> {
  write(text: string, done?: (error?: unknown) => void): unknown;
}

export interface BoundedOutputOptions {
  readonly stream: TextStream;
  /** Returns the line that reports how many texts were dropped. It is written in their place. */
  readonly lost: (count: number) => string;
  /** The approximate number of bytes that are buffered until they are read. */
  readonly bytes?: number;
}

export interface BoundedOutput {
  write(text: string): void;
  /** Settles when everything that was written has been read, or can no longer be. */
  flushed(): Promise<void>;
  /** Returns how many texts were dropped so far. */
  dropped(): number;
}

/**
 * Writes to a stream texts that may be lost but must not accumulate. If its reader stops, or a disk is full, only a limited
 * amount of memory is used, and a later reader learns how much is missing. The caller that provides the stream listens to its
 * errors.
 */
export const boundedOutput = ({ stream, lost, bytes = 1024 * 1024 }: BoundedOutputOptions): BoundedOutput => {
  /** How many dropped texts no line has reported yet. */
  let dropped = 0;
  let allDropped = 0;
  let isReporting = false;
  const flushed = (): Promise<void> =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      // Texts are written one after another, so an empty one is done when all before it are.
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
  const written = (error?: unknown): void => {
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
