import fc from 'fast-check';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Splitter } from '../../../../plugins/sdk/framings/framing.ts';

/** Offsets at which to cut a stream. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(), { maxLength: 12 });

/** Splits the bytes into chunks, some of which may be empty. */
export const readChunks = (bytes: Buffer, at: readonly number[]): readonly Buffer[] => {
  const borders = [0, ...at.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
};

/** The result of splitting a stream. `ends` are offsets from the start of the stream. */
export interface SplitStream {
  readonly frames: readonly Frame[];
  readonly bytes: Buffer;
  readonly ends: readonly number[];
  readonly error?: unknown;
}

/** Collects everything that a splitter returns for the chunks of a stream, up to its first error. */
export const split = (splitter: Splitter, chunks: readonly Buffer[]): SplitStream => {
  const frames: Frame[] = [];
  const ends: number[] = [];
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for (const chunk of [...chunks, undefined]) {
      const piece = chunk === undefined ? splitter.rest() : splitter.push(chunk);
      for (const { end, ...frame } of piece.frames) {
        frames.push(frame);
        ends.push(length + end);
      }
      pieces.push(piece.bytes);
      length += piece.bytes.length;
    }
  } catch (reason) {
    return { frames, ends, bytes: Buffer.concat(pieces), error: reason };
  }
  return { frames, ends, bytes: Buffer.concat(pieces) };
};
