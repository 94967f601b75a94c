import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { createRelay, type Staging, type StreamTranslation } from '../../../runtime/streams/create-relay.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { tiny, tinyTranslation } from './kit.ts';

const ids = Object.keys(framings) as FramingId[];
const upstreams: readonly FramingId[] = ['sse', 'aws-eventstream', 'ndjson', 'json-array'];
const pairs = upstreams.flatMap((from) => ids.map((to) => ({ from, to })));

const toBytes = (id: FramingId, frames: readonly Frame[], isWhole = true): Buffer => {
  const writer = framings[id].createWriter();
  return Buffer.concat([writer.write(frames), isWhole ? writer.end() : Buffer.alloc(0)]);
};

const framesIn = (id: FramingId, bytes: Buffer): readonly string[] => {
  const splitter = framings[id].createSplitter();
  return [...splitter.push(bytes).frames, ...splitter.rest().frames].map(({ data }) => data);
};

interface Ending {
  readonly bytes: Buffer;
  readonly end: 'whole' | 'cut' | 'error';
}

/** Returns what a client receives of a stream in these chunks, whose upstream then ends cleanly. */
const relay = (translation: StreamTranslation, chunks: readonly Buffer[]): Ending => {
  const relaying = createRelay(translation);
  const sent: Buffer[] = [];
  for (const chunk of chunks) {
    const { bytes, broken } = relaying.push(chunk);
    sent.push(bytes);
    if (broken?.kind === 'error') return { bytes: Buffer.concat([...sent, broken.bytes]), end: 'error' };
  }
  const { bytes, broken } = relaying.finish();
  sent.push(bytes);
  if (broken === undefined) return { bytes: Buffer.concat(sent), end: 'whole' };
  sent.push(relaying.fail(errorReport('stream-cut', {})));
  return { bytes: Buffer.concat(sent), end: 'cut' };
};

const same = ({ from, to }: (typeof pairs)[number]): StreamTranslation => ({
  upstream: tiny,
  client: tiny,
  from: framings[from],
  to: framings[to],
});

const cut = (bytes: Buffer, at: readonly number[]): readonly Buffer[] => {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

const frame = (data: string): Frame => ({ data: JSON.stringify(data) });
/** The tiny dialect over JSON: the first letter of the text is the kind of the frame. */
const json = { ...tiny, classify: ({ data }: Frame) => tiny.classify({ data: data.slice(1) }) };

/** Returns the translation of the tiny dialect with JSON strings on both sides. */
const jsonTranslation = (): NonNullable<StreamTranslation['translate']> => {
  const { decoder, encoder } = tinyTranslation();
  const written = (frames: readonly Frame[]): readonly Frame[] => frames.map(({ data }) => frame(data));
  return {
    decoder: { push: ({ data }) => decoder.push({ data: JSON.parse(data) }), end: () => decoder.end() },
    encoder: {
      push: (event) => written(encoder.push(event)),
      fail: (report) => written(encoder.fail(report)),
      end: () => written(encoder.end()),
    },
  };
};

describe.each(pairs)('a stream from $from to $to', (pair) => {
  const frames = [frame('p'), frame('c:one'), frame('c:é🎉'), frame('u'), frame('z')];

  it('has the same frames, no matter where its bytes are split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const { bytes, end } = relay(
          { ...same(pair), upstream: json, client: json },
          cut(toBytes(pair.from, frames), places),
        );
        expect(end).toBe('whole');
        expect(framesIn(pair.to, bytes)).toEqual(frames.map(({ data }) => data));
        expect(bytes.equals(toBytes(pair.to, frames))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('ends with the error that its upstream reports', () => {
    const { bytes, end } = relay({ ...same(pair), upstream: json, client: json }, [
      toBytes(pair.from, [...frames.slice(0, 2), frame('e:overloaded'), frame('c:late')]),
    ]);
    expect(end).toBe('error');
    expect(framesIn(pair.to, bytes)).toEqual(['p', 'c:one', 'e:overloaded'].map((data) => JSON.stringify(data)));
  });

  it('is complete only once its end has arrived', () => {
    const relaying = createRelay({ ...same(pair), upstream: json, client: json });
    const closed = frames.map((each) => {
      // An array needs a single writer, because each of its elements except the first has a comma before it.
      const chunk = toBytes(pair.from, [each], false).toString('latin1');
      relaying.push(Buffer.from(each === frames[0] ? chunk : chunk.replace(/^\[/, ','), 'latin1'));
      return [relaying.opened, relaying.isClosed];
    });
    expect(closed).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, false],
      [true, true],
    ]);
  });

  it('passes through stages unchanged, and is encoded again from what they replace', () => {
    const staging = (replaced: string): Staging => ({
      ...jsonTranslation(),
      stages: [
        {
          reads: ['text'],
          holds: 'none',
          push: (event) =>
            event.kind === 'text' && event.text === replaced
              ? { do: 'replace', events: [{ ...event, text: '***' }] }
              : { do: 'release' },
          end: () => ({ do: 'release' }),
        },
      ],
    });
    const pass = (replaced: string, sent: readonly Frame[]): Ending =>
      relay({ ...same(pair), upstream: json, client: json, staging: staging(replaced) }, [toBytes(pair.from, sent)]);
    expect(framesIn(pair.to, pass('nothing', frames).bytes)).toEqual(frames.map(({ data }) => data));
    expect(framesIn(pair.to, pass('é🎉', frames).bytes)).toEqual(['"p"', '"c:one"', '"C:***"', '"[DONE]"']);
    const failed = pass('é🎉', [...frames.slice(0, 3), frame('e:lost'), frame('c:late')]);
    expect([failed.end, framesIn(pair.to, failed.bytes)]).toEqual([
      'error',
      ['"p"', '"c:one"', '"C:***"', expect.stringMatching(/^"E:.*lost/)],
    ]);
  });

  it('begins with the frame of the gateway, whatever its dialects are', () => {
    for (const translate of [undefined, tinyTranslation()]) {
      const relaying = createRelay({ ...same(pair), ...(translate === undefined ? {} : { translate }) });
      const first = relaying.begin(frame('ours'));
      const begun = relaying.push(toBytes(pair.from, [frame('0'), frame('1')], false)).bytes;
      const failed = relaying.fail(errorReport('stream-cut', {}));
      const texts = framesIn(pair.to, Buffer.concat([first, begun, failed]));
      expect(texts).toEqual(
        translate === undefined ? ['"ours"', '"0"', '"1"', 'e:stream-cut'] : ['"ours"', 'E:stream-cut'],
      );
    }
  });

  it('that is cut off ends with an error in the framing of its client', () => {
    const begun = toBytes(pair.from, frames.slice(0, 3), false);
    const { bytes, end } = relay({ ...same(pair), upstream: json, client: json }, [begun]);
    expect(end).toBe('cut');
    expect(framesIn(pair.to, bytes)).toEqual([...frames.slice(0, 3).map(({ data }) => data), 'e:stream-cut']);
  });
});

describe.each(pairs)('a stream translated from $from to $to', (pair) => {
  const translation = (): StreamTranslation => ({ ...same(pair), upstream: json, translate: jsonTranslation() });
  const texts = (bytes: Buffer): readonly unknown[] => framesIn(pair.to, bytes).map((data) => JSON.parse(data));

  it('is decoded, and encoded in the framing of its client', () => {
    for (const last of ['z', 'z:finish']) {
      const frames = ['p', 'c:a', 'c:b', last].map(frame);
      const { bytes, end } = relay(translation(), cut(toBytes(pair.from, frames), [3, 20, 21]));
      expect([end, texts(bytes)]).toEqual(['whole', ['C:a', 'C:b', '[DONE]']]);
    }
  });

  it('ends with the error of its upstream or of the gateway', () => {
    const reported = relay(translation(), [toBytes(pair.from, ['c:a', 'e:gone', 'c:b'].map(frame))]);
    expect([reported.end, texts(reported.bytes)]).toEqual(['error', ['C:a', expect.stringMatching(/^E:/)]]);
    const torn = relay(translation(), [toBytes(pair.from, ['c:a', 'z:torn'].map(frame), false)]);
    expect([torn.end, texts(torn.bytes)]).toEqual(['cut', ['C:a', 'E:stream-cut']]);
  });

  it('reports an error even if its encoder cannot', () => {
    const { encoder, ...rest } = jsonTranslation();
    const fails = [
      () => {
        throw new Error('It has failed.');
      },
      () => [],
    ];
    for (const fail of fails) {
      const translate = { ...rest, encoder: { ...encoder, fail } };
      const { bytes } = relay({ ...translation(), translate }, [toBytes(pair.from, [frame('c:a')], false)]);
      expect(framesIn(pair.to, bytes)).toEqual(['"C:a"', 'e:stream-cut']);
    }
  });
});

describe('a stream with another framing', () => {
  it('omits a frame that was cut off after the end of its answer', () => {
    for (const [torn, kept] of [
      ['c:to', []],
      ['u', ['u']],
    ] as const) {
      const sent = Buffer.from(`data: c:a\n\ndata: z\n\ndata: ${torn}\n`);
      const { bytes, end } = relay(same({ from: 'sse', to: 'ndjson' }), [sent]);
      expect([end, framesIn('ndjson', bytes)]).toEqual(['whole', ['c:a', 'z', ...kept]]);
    }
  });
});

const release = { do: 'release' } as const;

describe('an event stream of AWS', () => {
  const { createWriter } = framings['aws-eventstream'];

  it('whose last message was cut off ends like the frames before it', () => {
    const ended = toBytes('aws-eventstream', [{ data: 'c:a' }, { data: 'z' }]);
    const torn = toBytes('aws-eventstream', [{ data: 'u' }]).subarray(0, 9);
    const translation = { ...same({ from: 'aws-eventstream', to: 'aws-eventstream' }) };
    const { bytes, end } = relay(translation, [Buffer.concat([ended, torn])]);
    expect([end, bytes.equals(ended)]).toEqual(['whole', true]);
  });

  it('keeps the headers of its messages when it passes through stages', () => {
    const sent = createWriter().write([
      { event: 'c', data: 'c:a', headers: { ':message-type': 'exception' } },
      { data: 'z' },
    ]);
    const pair = { from: 'aws-eventstream', to: 'aws-eventstream' } as const;
    const { decoder, encoder } = tinyTranslation();
    const stage = { reads: [], holds: 'none', push: () => release, end: () => release } as const;
    const staging: Staging = { decoder, encoder, stages: [stage] };
    expect(relay({ ...same(pair), staging }, [sent]).bytes.equals(sent)).toBe(true);
  });
});
