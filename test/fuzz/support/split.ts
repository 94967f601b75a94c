import { isDeepStrictEqual } from 'node:util';
import type { Framing, PlacedFrame } from '../../../plugins/sdk/framings/framing.ts';
import { errorText } from '../../../schema/text/error-text.ts';

export interface Read {
  readonly frames: readonly PlacedFrame[];
  /** Why the rest is not a stream in this framing. */
  readonly error?: string;
}

/** Returns the frames of a stream that arrives in these chunks. */
export const split = (framing: Framing, chunks: readonly Buffer[]): Read => {
  const splitter = framing.createSplitter();
  const frames: PlacedFrame[] = [];
  try {
    for (const chunk of chunks) frames.push(...splitter.push(chunk).frames);
    frames.push(...splitter.rest().frames);
  } catch (error) {
    return { frames, error: errorText(error) };
  }
  return { frames };
};

const toData = ({ frames, error }: Read): object => ({
  fault: error,
  frames: frames.map(({ event, data, headers }) => ({ event, data, headers })),
});

/** Throws if the frames of a stream depend on where it was cut. */
export const expectSameFrames = (one: Read, other: Read): void => {
  if (!isDeepStrictEqual(toData(one), toData(other)))
    throw new Error('The frames of a stream depend on where its bytes were cut.');
};
