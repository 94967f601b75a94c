import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { parseFrame, SseSplitter, writeFrame } from '../../../../plugins/sdk/framings/sse.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { cuts, readChunks, split } from './split.ts';

const pieces = [
  ...['data: ', 'data:', 'data', 'event: ', 'event:', 'id: 7', 'retry: 5', ': note', 'other: x', ':'],
  ...['\n', '\n', '\n\n', '\r\n', '\r\n\r\n', '\r', '\r\r'],
  ...['{"a":1}', 'é', '🎉', ' ', '\u2028', 'x'],
];
const streams = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom(...pieces), { maxLength: 40 }))
  .map(([hasMark, parts]) => `${hasMark ? '\ufeff' : ''}${parts.join('')}\n\ndata: last\n\n`);

const splitSse = (chunks: readonly Buffer[]): ReturnType<typeof split> => split(new SseSplitter(), chunks);

const byStandard = (text: string): Frame[] => {
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void frames.push(event === undefined ? { data } : { event, data }),
  });
  parser.feed(text);
  return frames;
};

describe('writeFrame', () => {
  it('preserves the data of a frame, whatever line breaks it contains', () => {
    const frame = { event: 'a\n\ndata: b', data: '{\r"a":1,\r\n"b":2,\n"c":3\r}' };
    expect(byStandard(writeFrame(frame))).toEqual([{ event: 'a  data: b', data: '{\n"a":1,\n"b":2,\n"c":3\n}' }]);
  });
});

describe('SseSplitter', () => {
  it('returns the same frames and bytes wherever the stream is cut', () => {
    fc.assert(
      fc.property(streams, cuts, (text, at) => {
        const bytes = Buffer.from(text);
        const whole = splitSse([bytes]);
        const cut = splitSse(readChunks(bytes, at));
        expect(cut.frames).toEqual(whole.frames);
        expect(cut.bytes.equals(bytes)).toBe(true);
        for (const end of cut.ends) expect(end).toBeLessThanOrEqual(bytes.length);
      }),
      lawRuns,
    );
  });

  it('parses a stream as the standard does', () => {
    fc.assert(
      fc.property(streams, (text) => {
        expect(splitSse([Buffer.from(text)]).frames).toEqual(byStandard(text));
      }),
      lawRuns,
    );
  });

  it('returns the same Buffer if a chunk ends at a frame boundary', () => {
    const chunk = Buffer.from('data: {"a":"é"}\n\n');
    expect(new SseSplitter().push(chunk).bytes).toBe(chunk);
  });

  it('holds back an incomplete frame and an incomplete character', () => {
    const splitter = new SseSplitter();
    const bytes = Buffer.from('data: é\n\n');
    expect(splitter.push(bytes.subarray(0, 7)).bytes).toHaveLength(0);
    expect(splitter.heldBytes).toBe(7);
    expect(splitter.push(bytes.subarray(7)).frames).toEqual([{ data: 'é', end: 10 }]);
    expect(splitter.heldBytes).toBe(0);
  });

  it('returns the last frame of a stream that ends without an empty line', () => {
    const splitter = new SseSplitter();
    splitter.push(Buffer.from('data: [DONE]\n'));
    expect(splitter.rest().frames).toEqual([{ data: '[DONE]', end: 13 }]);
  });

  it.each([
    ['a line of data without a line break', 'data: {"a":1}', [{ data: '{"a":1}', end: 13 }], false],
    ['a line of data and an incomplete one', 'data: {"a":1}\nda', [{ data: '{"a":1}', end: 14 }], true],
    ['a line of data and an incomplete comment', 'data: [DONE]\n: he', [{ data: '[DONE]', end: 13 }], true],
    ['a line of data and a comment', 'data: [DONE]\n: hello\n', [{ data: '[DONE]', end: 21 }], false],
    ['lines of data, the last without a line break', 'data: {\ndata: "a', [{ data: '{\n"a', end: 16 }], false],
    ['an event name without data', 'event: message_stop\n', [], true],
    ['an incomplete event name', 'event: mess', [], true],
    ['an incomplete event name after data', 'data: {}\r\nevent: mess', [{ data: '{}', end: 10 }], true],
    ['a comment', ': hello\n', [], false],
    ['an incomplete comment', ': hel', [], true],
    ['comments and empty lines', ': a\r\n: b\n', [], false],
    ['a mark and a line of data', '\ufeffdata: 1', [{ data: '1', end: 10 }], false],
  ])('reports whether the end of the stream is torn: %s', (_what, text, frames, isTorn) => {
    const splitter = new SseSplitter();
    splitter.push(Buffer.from(text));
    expect(splitter.rest()).toMatchObject({ frames, isTorn });
  });

  it('does not wait for a line feed after the carriage return that ends the last frame', () => {
    const splitter = new SseSplitter();
    expect(splitter.push(Buffer.from('data: 1\r\n\r')).frames).toHaveLength(1);
    splitter.push(Buffer.from('\n'));
    expect(splitter.rest()).toMatchObject({ frames: [], isTorn: false });
  });
});

describe('any written frame', () => {
  it('is read back by parseFrame', () => {
    const data = fc.string({ unit: fc.constantFrom('a', ' ', ':', '\n', 'é') });
    fc.assert(
      fc.property(fc.option(fc.constantFrom('error', 'ping'), { nil: undefined }), data, (event, text) => {
        const frame: Frame = event === undefined ? { data: text } : { event, data: text };
        expect(parseFrame(writeFrame(frame))).toEqual(frame);
      }),
    );
  });
});
