import type { Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import { isWholeFrame } from '../../plugins/sdk/dialect/is-whole-frame.ts';
import type { Splitter } from '../../plugins/sdk/framings/framing.ts';

/** The rest after the last border of a stream that has ended, as its dialect reads it. */
export interface StreamRest {
  /** The last frame, if it is whole without its border; at most one. */
  readonly frames: readonly Frame[];
  /** Whether anything was torn. It is dropped; without an end of the answer before it, the answer was torn with it. */
  readonly isTorn: boolean;
}

/** Many services end their streams with it, also in dialects in which it ends no answer. */
const isDone = ({ data }: Frame): boolean => data.trim() === '[DONE]';

/** Throws if the bytes are no stream of their framing. */
export const readRest = (splitter: Splitter, dialect: Dialect): StreamRest => {
  const { frames, isTorn } = splitter.rest();
  const [last] = frames;
  if (last === undefined) return { frames: [], isTorn };
  const { end: _end, ...frame } = last;
  const isWhole = isDone(frame) || isWholeFrame(frame, dialect);
  return isWhole ? { frames: [frame], isTorn } : { frames: [], isTorn: true };
};
