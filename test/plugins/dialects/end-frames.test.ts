import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { isWholeFrame } from '../../../plugins/sdk/dialect/is-whole-frame.ts';
import { tiny } from '../../runtime/streams/kit.ts';
import { streamingDialects, wholeStreams } from '../../support/torn/whole-streams.ts';

/** All that may be left of a frame whose data was cut. */
const tornForms = (frame: Frame): readonly Frame[] =>
  Array.from({ length: frame.data.length }, (_, length) => ({ ...frame, data: frame.data.slice(0, length) }));

describe.each(streamingDialects.map((dialect) => [dialect.id, dialect] as const))(
  'the end frames of %s',
  (_id, dialect) => {
    const frames = wholeStreams(dialect).flatMap((stream) => stream.frames);

    it('are those that it classifies as ends', () => {
      expect(dialect.endFrames).toBeDefined();
      const ends = frames.filter((frame) => dialect.classify(frame) === 'end');
      expect(ends).not.toEqual([]);
      expect(frames.filter((frame) => isWholeFrame(frame, dialect))).toEqual(ends);
    });

    it('are whole with all of their data alone', () => {
      const ends = frames.filter((frame) => dialect.classify(frame) === 'end');
      for (const torn of ends.flatMap(tornForms)) expect([torn, isWholeFrame(torn, dialect)]).toEqual([torn, false]);
    });

    it('are not needed to read an error, as far as that is whole', () => {
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
  ])('takes %s without its border for whole: %s', (data, isWhole) => {
    const ends = { ...tiny, classify: (frame: Frame) => (/^[{[]|^$/.test(frame.data) ? 'end' : tiny.classify(frame)) };
    expect(isWholeFrame({ data }, ends)).toBe(isWhole);
  });
});
