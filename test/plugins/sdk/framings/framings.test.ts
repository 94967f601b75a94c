import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { cuts, readChunks, split } from './split.ts';

const json = fc.json({ maxDepth: 2 });
const spacedJson = fc
  .tuple(json, fc.nat({ max: 2 }))
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent));
const events = fc.constantFrom('contentBlockDelta', 'messageStop', 'é');
const headerValues = fc.string({ unit: 'grapheme', maxLength: 8 });

const plainFrames = fc.array(json.map((data): Frame => ({ data })));
const namedFrames = fc.array(fc.record({ event: events, data: json }, { requiredKeys: ['data'] }));
const framesWithHeaders: fc.Arbitrary<readonly Frame[]> = fc.array(
  fc.record(
    {
      event: events,
      data: fc.string({ unit: 'grapheme' }),
      headers: fc.oneof(
        fc.constant({ ':message-type': 'exception' }),
        fc.dictionary(fc.constantFrom('x', ':content-type', ':error-code', '__proto__'), headerValues, { minKeys: 1 }),
      ),
    },
    { requiredKeys: ['data'] },
  ),
);

interface Case {
  readonly frames: fc.Arbitrary<readonly Frame[]>;
  readonly errors: RegExp;
}

const cases: Readonly<Record<keyof typeof framings, Case>> = {
  sse: { frames: namedFrames, errors: /^Never/ },
  'aws-eventstream': {
    frames: framesWithHeaders,
    errors: /^Error: (?:The checksum of |A message cannot be |The headers of a message )/,
  },
  ndjson: { frames: plainFrames, errors: /^Never/ },
  'json-array': {
    frames: fc.array(spacedJson.map((data): Frame => ({ data }))),
    errors: /^Error: The stream is not a JSON array\.$/,
  },
};

const written = (id: keyof typeof framings, frames: readonly Frame[], size: number): Buffer => {
  const writer = framings[id].createWriter();
  const groups = Array.from({ length: Math.ceil(frames.length / size) }, (_, at) =>
    frames.slice(at * size, (at + 1) * size),
  );
  return Buffer.concat([...groups.map((group) => writer.write(group)), writer.end()]);
};

/** The bytes with some of them changed, removed or inserted. */
const spoilt = (bytes: Buffer, changes: readonly (readonly [at: number, kind: number])[]): Buffer =>
  changes.reduce<Buffer>((before, [at, kind]) => {
    const place = at % (before.length + 1);
    const rest = before.subarray(place + (kind % 3));
    return Buffer.concat([before.subarray(0, place), Buffer.from(kind % 2 === 0 ? [] : [kind % 256]), rest]);
  }, bytes);

const entries = Object.entries(cases) as [keyof typeof framings, Case][];

describe.each(entries)('the framing %s', (id, { frames: lists, errors }) => {
  const splitStream = (chunks: readonly Buffer[]): ReturnType<typeof split> =>
    split(framings[id].createSplitter(), chunks);

  it('has its key as its id', () => {
    expect(framings[id].id).toBe(id);
  });

  it('reads back the frames that it wrote, in groups of any size', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 3 }), (frames, size) => {
        const bytes = written(id, frames, size);
        const whole = splitStream([bytes]);
        expect(whole.frames).toEqual(frames);
        expect(whole.bytes.equals(bytes)).toBe(true);
      }),
      lawRuns,
    );
  });

  it('returns the same frames and bytes wherever the stream is cut', () => {
    fc.assert(
      fc.property(lists, cuts, (frames, at) => {
        const bytes = written(id, frames, 1);
        const whole = splitStream([bytes]);
        const cut = splitStream(readChunks(bytes, at));
        expect(cut).toEqual(whole);
        expect(cut.bytes.equals(bytes)).toBe(true);
      }),
      lawRuns,
    );
  });

  it('returns the frames before corrupted bytes, and then its own error, wherever the stream is cut', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(lists, changes, cuts, (frames, spoiling, at) => {
        const bytes = spoilt(written(id, frames, 1), spoiling);
        const whole = splitStream([bytes]);
        const cut = splitStream(readChunks(bytes, at));
        expect(cut.frames).toEqual(whole.frames);
        expect(cut.error).toEqual(whole.error);
        if (cut.error === undefined) expect(cut.bytes.equals(bytes)).toBe(true);
        else expect(String(cut.error)).toMatch(errors);
      }),
      lawRuns,
    );
  });

  it('returns bytes up to the end of the last complete frame and holds back the rest', () => {
    fc.assert(
      fc.property(lists, fc.nat(), (frames, at) => {
        const [head = Buffer.alloc(0)] = readChunks(written(id, frames, 1), [at]);
        const splitter = framings[id].createSplitter();
        const { bytes, frames: found } = splitter.push(head);
        expect(splitter.heldBytes).toBe(head.length - bytes.length);
        for (const { end } of found) expect(end).toBeLessThanOrEqual(bytes.length);
        if (splitter.isAtBorder) expect(splitter.heldBytes).toBe(0);
      }),
      lawRuns,
    );
  });
});
