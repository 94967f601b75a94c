import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Random } from '../support/random.ts';
import { mutateJson, type Pool } from './json.ts';
import { oddText } from './text.ts';
import { oddValue, writeOdd } from './values.ts';

/** The source of frames. */
export interface FramePool extends Pool {
  readonly streams: readonly (readonly Frame[])[];
}

const data: readonly string[] = [
  '',
  ' ',
  '[DONE]',
  '[DONE] ',
  'null',
  '[]',
  '{}',
  '0',
  '"x"',
  '{"error":null}',
  'nonsense',
];

const oddFrame = (random: Random, { words }: FramePool): Frame => {
  const text = random.oneIn(2) ? random.pick(data) : writeOdd(oddValue(random));
  return random.oneIn(2) ? { data: text } : { event: random.pick(words), data: text };
};

const messageTypes: readonly string[] = ['event', 'exception', 'error', ''];

const changed = (frame: Frame, random: Random, pool: FramePool): Frame => {
  switch (random.below(10)) {
    case 0:
      return { ...frame, event: random.pick(pool.words) };
    case 1:
      return { data: frame.data };
    case 2:
      return { ...frame, data: oddText(frame.data, random) };
    case 3:
      return { ...frame, headers: { ':message-type': random.pick(messageTypes) } };
    default: {
      const value = parseJson(frame.data);
      return { ...frame, data: writeOdd(mutateJson(value ?? frame.data, random, pool)) };
    }
  }
};

const once = (frames: readonly Frame[], random: Random, pool: FramePool): readonly Frame[] => {
  const at = random.below(frames.length);
  const end = at + random.below(5);
  const some = frames.slice(at, end);
  switch (random.below(12)) {
    case 0:
      return frames.toSpliced(at, 1);
    case 1:
      return frames.toSpliced(at, 0, ...some);
    case 2:
      return frames.toSpliced(random.below(frames.length), 0, ...some);
    case 3:
      return frames.toSpliced(at, some.length, ...some.toReversed());
    case 4:
      return frames.slice(0, at);
    case 5:
      return frames.toSpliced(at, 0, oddFrame(random, pool));
    case 6: {
      const other = random.pick(pool.streams);
      return [...frames.slice(0, at), ...other.slice(random.below(other.length))];
    }
    default: {
      const frame = frames[at];
      return frame === undefined ? [oddFrame(random, pool)] : frames.with(at, changed(frame, random, pool));
    }
  }
};

/** Changes a stream so that some of its frames are wrong, missing, repeated, out of order, or from another stream. */
export const mutateFrames = (frames: readonly Frame[], random: Random, pool: FramePool): readonly Frame[] => {
  let mutated = frames;
  for (let left = 1 + random.below(4); left > 0; left -= 1) mutated = once(mutated, random, pool);
  return mutated;
};
