import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { isWholeFrame } from '../../../plugins/sdk/dialect/is-whole-frame.ts';
import { tiny } from '../../runtime/streams/kit.ts';
import { streamingDialects, wholeStreams } from '../../support/torn/whole-streams.ts';

/** Returns every frame that may remain if the data of a frame is cut. */
const tornForms = (frame: Frame): readonly Frame[] =>
  Array.from({ length: frame.data.length }, (_, length) => ({ ...frame, data: frame.data.slice(0, length) }));

describe.each(streamingDialects.map((dialect) => [dialect.id, dialect] as const))(
  'the end frames of %s',
  (_id, dialect) => {
    const frames = wholeStreams(dialect).flatMap((stream) => stream.frames);

    it('are the frames that the dialect classifies as ends', () => {
      expect(dialect.endFrames).toBeDefined();
      const ends = frames.filter((frame) => dialect.classify(frame) === 'end');
      expect(ends).not.toEqual([]);
      expect(frames.filter((frame) => isWholeFrame(frame, dialect))).toEqual(ends);
    });

    it('are whole only with all of their data', () => {
      const ends = frames.filter((frame) => dialect.classify(frame) === 'end');
      for (const torn of ends.flatMap(tornForms)) expect([torn, isWholeFrame(torn, dialect)]).toEqual([torn, false]);
    });

    it('include an error frame if it is whole, but not if it is cut', () => {
      const error = dialect.encodeStreamError({
        status: 503,
        code: 'stream-error',
        type: 'gateway_error',
        message: 'It is overloaded.',
      });
      expect(isWholeFrame(error, dialect)).toBe(true);
      for (const torn of tornForms(error)) expect([torn, isWholeFrame(torn, dialect)]).toEqual([torn, false]);
    });
  },
);

describe('a dialect without a table of end frames', () => {
  it.each([
    ['z', true],
    ['u', true],
    ['c:more', false],
    ['', false],
    ['{"z":', false],
    ['[1', false],
  ])('treats %s without its delimiter as whole: %s', (data, isWhole) => {
    const ends = { ...tiny, classify: (frame: Frame) => (/^[{[]|^$/.test(frame.data) ? 'end' : tiny.classify(frame)) };
    expect(isWholeFrame({ data }, ends)).toBe(isWhole);
  });
});
