import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { dearestLawRuns } from '../../../support/run/law-runs.ts';
import { type Ending, runStream, type StreamOutcome } from './run-stream.ts';
import { type Figures, type Road, roads, type ScriptFrame, type StreamScript } from './stream-wires.ts';

/** How a stream is delivered: whole frames, a piece of the next one, and an ending. */
interface Delivery {
  readonly whole: number;
  readonly torn: number;
  readonly ending: Ending;
  /** Where it is cut into chunks; one chunk for each frame if absent. */
  readonly borders: readonly number[] | undefined;
}

const anyScript: fc.Arbitrary<StreamScript> = fc.record({
  words: fc.array(fc.stringMatching(/^[a-z ]{1,12}$/), { minLength: 1, maxLength: 6 }),
  figures: fc
    .record({ cached: fc.nat(900), fresh: fc.nat(900), output: fc.integer({ min: 1, max: 900 }) })
    .map(({ cached, fresh, output }) => ({ input: cached + fresh, cached, output })),
  mode: fc.constantFrom('own-frame', 'with-choices', 'every-frame', 'nowhere'),
});

const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  whole: fc.nat(12),
  torn: fc.nat(40),
  ending: fc.constantFrom('end', 'cut', 'leave'),
  borders: fc.option(fc.array(fc.nat(3000), { maxLength: 6 }), { nil: undefined }),
});

const toChunks = (text: string, borders: Delivery['borders']): readonly Buffer[] => {
  const bytes = Buffer.from(text);
  const ends = borders ?? [...text.matchAll(/\n\n/g)].map(({ index }) => index + 2);
  const at = [0, ...ends.filter((border) => border < bytes.length).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};

interface Delivered {
  readonly frames: readonly ScriptFrame[];
  readonly text: string;
  readonly ending: Ending;
  readonly isWhole: boolean;
}

/** Here, only an answer that arrived whole ends cleanly. */
const delivered = (all: readonly ScriptFrame[], { whole, torn, ending }: Delivery, closes: boolean): Delivered => {
  if (ending === 'end') return { frames: all, text: all.map(({ text }) => text).join(''), ending, isWhole: true };
  const frames = all.slice(0, ending === 'cut' ? Math.min(whole, all.length - 1) : whole);
  const rest = all[frames.length]?.text.slice(0, torn).trimEnd() ?? '';
  const isWhole = frames.length === all.length && closes;
  return { frames, text: frames.map(({ text }) => text).join('') + rest, ending, isWhole };
};

const tokens = (bytes: number): number => Math.ceil(bytes / 4);

const expected = (road: Road, { frames, isWhole }: Delivered, text: string): object => {
  const figures: Figures | undefined = frames.findLast((frame) => frame.figures !== undefined)?.figures;
  const said = tokens(frames.reduce((sum, { says }) => sum + says.length, 0));
  if (figures !== undefined)
    return {
      kind: isWhole ? 'reported' : 'partial',
      input: { total: figures.input, cacheRead: figures.cached },
      output: { total: figures.isStart === true ? Math.max(figures.output, said) : figures.output },
      ...(figures.input > 0 ? { cacheHitRate: expect.closeTo(figures.cached / figures.input, 3) } : {}),
    };
  return { kind: 'estimated', input: { total: tokens(road.bodyBytes(text)) }, output: { total: said } };
};

const toUsage = (trail: readonly { readonly kind: string }[]): readonly UsageRecord[] =>
  trail.flatMap((event) => ('usage' in event ? [event.usage as UsageRecord] : []));

const askingFor = (body: JsonObject, asked: boolean): JsonObject =>
  asked ? { ...body, stream_options: { include_usage: true } } : body;

describe.each(Object.entries(roads))('a stream of %s', (_name, road) => {
  it('is settled once, with the usage that was known when it ended', async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, anyDelivery, fc.boolean(), async (script, delivery, byCaller) => {
        const stream = delivered(road.wire.frames(script), delivery, road.wire.closes);
        const { ending } = stream;
        const chunks = toChunks(stream.text, delivery.borders);
        const { trail } = await runStream({ road, body: road.body('hello there'), chunks, ending, byCaller });
        const settled = toUsage(trail);
        expect(settled).toEqual([
          { ...expected(road, stream, 'hello there'), model: stream.frames.length === 0 ? 'm' : settled[0]?.model },
        ]);
        if (settled[0]?.kind !== 'estimated') expect(settled[0]?.model).toBe('m-1');
        const kinds = trail.map(({ kind }) => kind);
        expect(kinds.indexOf('settled')).toBeGreaterThan(kinds.indexOf('attempted'));
      }),
      dearestLawRuns,
    );
  });

  it.runIf(!road.isTranslated)('reaches its client as if the gateway had not requested usage', async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, anyDelivery, fc.boolean(), async (script, delivery, asked) => {
        const stream = delivered(road.wire.frames(script), delivery, road.wire.closes);
        fc.pre(stream.ending !== 'leave');
        const chunks = toChunks(stream.text, delivery.borders);
        const body = askingFor(road.body('hello'), asked && road.asks);
        const { received, status, sent } = await runStream({ road, body, chunks, ending: stream.ending });
        const isStripped = road.asks && !asked;
        const passed = stream.frames.map(({ text, unasked }) => (isStripped ? (unasked ?? '') : text)).join('');
        if (road.asks) expect(sent.stream_options).toEqual({ include_usage: true });
        else expect(sent).toEqual(body);
        if (status === 200 && stream.isWhole) expect(received).toBe(passed);
        if (status === 200 && !stream.isWhole) expect(received.startsWith(`${passed}`)).toBe(true);
      }),
      dearestLawRuns,
    );
  });
});

const chunked = (frames: readonly object[]): readonly Buffer[] => [
  Buffer.from(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')),
];

describe('a translated stream', () => {
  const figures = { input: 3, cached: 1, output: 1 };
  const run = async (name: string, more: JsonObject = {}): Promise<StreamOutcome> => {
    const road = roads[name] ?? expect.unreachable();
    const frames = road.wire.frames({ words: ['a'], figures, mode: 'own-frame' });
    const chunks = toChunks(frames.map(({ text }) => text).join(''), undefined);
    const outcome = await runStream({ road, body: { ...road.body('hi'), ...more }, chunks, ending: 'end' });
    expect(toUsage(outcome.trail)).toMatchObject([{ kind: 'reported', input: { total: 3 }, output: { total: 1 } }]);
    return outcome;
  };

  it("contains the usage that the gateway requested, in the client's dialect", async () => {
    const counts = /"usage":\{"input_tokens":2,"output_tokens":1,[^}]*"cache_read_input_tokens":1\}/;
    const { sent, received } = await run('messages at openai');
    expect(sent.stream_options).toEqual({ include_usage: true });
    expect(received).toMatch(counts);
  });

  it('contains no usage for a client whose dialect must request it, unless it does', async () => {
    for (const name of ['chat at anthropic', 'chat at google']) {
      expect((await run(name)).received).not.toContain('_tokens"');
      const asked = await run(name, { stream_options: { include_usage: true } });
      expect(asked.received).toContain('"prompt_tokens":3,"completion_tokens":1,"total_tokens":4');
    }
  });
});

describe('a stream that its provider refuses in its first frame', () => {
  const road = roads['messages at anthropic'] ?? expect.unreachable();
  const body = road.body('hi');
  const refused = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const counted = { type: 'message_start', message: { model: 'm-1', usage: { input_tokens: 7, output_tokens: 1 } } };

  it('used nothing, or what it reported before', async () => {
    const used = async (frames: readonly object[]): Promise<unknown> =>
      toUsage((await runStream({ road, body, chunks: chunked(frames), ending: 'end' })).trail);
    expect(await used([refused])).toMatchObject([{ kind: 'none', input: { total: 0 } }]);
    expect(await used([counted, refused])).toMatchObject([{ kind: 'partial', input: { total: 7 } }]);
  });
});

describe('a stream to a client whose request had values of other providers', () => {
  it('contains no usage that only the gateway requested', async () => {
    const road = roads['chat at openai'] ?? expect.unreachable();
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const signed = { ...call, extra_content: { google: { thought_signature: 'gw1.elsewhere.abc' } } };
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [signed] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ];
    const script = { words: ['a'], figures: { input: 3, cached: 1, output: 1 }, mode: 'own-frame' } as const;
    const frames = road.wire.frames(script);
    const chunks = toChunks(frames.map(({ text }) => text).join(''), undefined);
    const body = { model: 'm', messages, stream: true };
    const { received, trail } = await runStream({ road, body, chunks, ending: 'end' });
    expect(received).toBe(frames.map(({ unasked = '' }) => unasked).join(''));
    expect(toUsage(trail)).toMatchObject([{ kind: 'reported', input: { total: 3 } }]);
  });
});
