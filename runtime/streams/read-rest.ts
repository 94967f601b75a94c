import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import { isWholeFrame } from '../../plugins/sdk/dialect/is-whole-frame.ts';
import type { Splitter } from '../../plugins/sdk/framings/framing.ts';

/** The rest after the last border of a stream that has ended, as its dialect reads it. */
export interface StreamRest {
  /** The last frame, if it is complete without its border. At most one. */
  readonly frames: readonly Frame[];
  /** Whether anything was torn. It is dropped. If the answer had not ended before it, the answer is incomplete. */
  readonly isTorn: boolean;
}

/** Many services end their streams with it, even in dialects in which it does not end an answer. */
const isDone = ({ data }: Frame): boolean => data.trim() === '[DONE]';

/** Throws if the bytes are not a stream of their framing. */
export const readRest = (splitter: Splitter, dialect: Dialect): StreamRest => {
  const { frames, isTorn } = splitter.rest();
  const [last] = frames;
  if (last === undefined) return { frames: [], isTorn };
  const { end: _end, ...frame } = last;
  const isWhole = isDone(frame) || isWholeFrame(frame, dialect);
  return isWhole ? { frames: [frame], isTorn } : { frames: [], isTorn: true };
};

/** Returns the frames of a chunk after the end of an answer, which cannot break it. The splitter throws again at its end. */
export const framesAfterEnd = (splitter: Splitter, chunk: Buffer): readonly Frame[] => {
  try {
    return splitter.push(chunk).frames;
  } catch {
    return [];
  }
};

/** Like `readRest`, after the end of an answer: bytes that are not a stream of their framing are torn. */
export const restAfterEnd = (splitter: Splitter, dialect: Dialect): StreamRest => {
  try {
    return readRest(splitter, dialect);
  } catch {
    return { frames: [], isTorn: true };
  }
};
