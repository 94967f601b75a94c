import { expect } from 'vitest';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { isSampled, sampleNumber, thinned } from '../run/sampled-pairs.ts';
import { lastEvent, TornBench, type TornOutcome, type TornRoad } from './torn-bench.ts';
import { type Expected, expected, isClosed, type TornBy, type WrittenStream } from './torn-stream.ts';

const ways = ['end', 'reset'] as const;

/** Splits a stream into chunks: one per frame, so that they can be passed on unread, or a single one. */
const toChunks = ({ bytes, places }: WrittenStream, length: number, inOne: boolean): readonly Buffer[] => {
  if (inOne) return [bytes.subarray(0, length)];
  const borders = [0, ...places.map(({ end }) => end).filter((end) => end < length), length];
  return borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
};

/** Returns the content of frames without what the gateway requests for itself. */
const values = (dialect: Dialect, frames: readonly Frame[]): readonly unknown[] =>
  frames
    .filter((frame) => dialect.streamUsage?.request === undefined || dialect.classify(frame) !== 'usage')
    .map(({ event, data }) => {
      const value = parseJson(data) ?? data;
      const { member = '' } = dialect.streamUsage?.request ?? {};
      return { event, data: isJsonObject(value) ? { ...value, [member]: undefined } : value };
    });

interface Cut {
  readonly road: TornRoad;
  readonly stream: WrittenStream;
  readonly length: number;
  readonly by: TornBy;
  readonly outcome: TornOutcome;
}

/** Expects a broken stream: the client receives an error, nobody else receives the stream, and its usage is incomplete. */
const expectBroken = ({ road: { client }, outcome }: Cut): void => {
  const { status, end, frames, again, usage } = outcome;
  expect(again).not.toBe('HIT');
  expect(usage?.kind).not.toBe('reported');
  if (end === 'refused') {
    expect(status).toBe(502);
    return;
  }
  expect(end).toBe('failed');
  expect(lastEvent(client, frames)).toBe('error');
  expect(frames.map((frame) => client.classify(frame)).lastIndexOf('error')).toBe(frames.length - 1);
};

const expectWhole = ({ road, outcome }: Cut, { frames, isTorn }: Expected): void => {
  const { client, upstream, config, asksUsage = false } = road;
  expect([outcome.status, outcome.end]).toEqual([200, 'complete']);
  expect(lastEvent(client, outcome.frames)).toBe('end');
  if (client === upstream && config === undefined)
    expect(values(client, outcome.frames)).toEqual(values(client, frames));
  // An answer with usage that its caller requested is not shared with others.
  expect(outcome.again).toBe(asksUsage ? 'DISABLED' : isTorn ? 'MISS' : 'HIT');
  if (isTorn) expect(outcome.usage?.kind).not.toBe('reported');
};

/** The usage comment must be a separate block after the last frame. */
const expectComment = ({ text, end, usage }: TornOutcome): void => {
  if (end === 'refused') return;
  const found = /(?:^|\n\n|\r\r|\r\n\r\n?): x-gw-usage (\{.*\})\n\n(?:: x-gw-cost .*\n\n)?$/.exec(text)?.[1];
  expect(JSON.parse(found ?? 'null')).toMatchObject({ kind: usage?.kind });
};

const judge = (cut: Cut): void => {
  const { road, stream, length, by, outcome } = cut;
  const expectation = expected(stream, length, by);
  if (!expectation.hasEnded) expectBroken(cut);
  else if (by === 'end' || isClosed(stream.dialect, expectation.frames)) expectWhole(cut, expectation);
  else if (outcome.end === 'complete') expectWhole(cut, expectation);
  else expectBroken(cut);
  if (road.asksUsage === true && (road.framing ?? framings[road.client.framing ?? 'sse']).id === 'sse')
    expectComment(outcome);
};

/** Cuts a stream after each of these lengths, in both ways. A run tries one of them at each length. */
export const cutAt = async (
  road: TornRoad,
  stream: WrittenStream,
  lengths: readonly number[],
  name: string,
): Promise<void> => {
  const bench = new TornBench(road);
  for (const [wayAt, by] of ways.entries())
    for (const length of lengths.filter((_, at) => isSampled(at, wayAt, 2))) {
      const chunks = toChunks(stream, length, (length + (by === 'end' ? 0 : 1)) % 2 === 0);
      const outcome = await bench.run(chunks, by).catch((cause: unknown) => {
        throw new Error(`${name}, after ${length} bytes, by ${by}`, { cause });
      });
      try {
        judge({ road, stream, length, by, outcome });
      } catch (cause) {
        const place = `after ${length} of ${stream.bytes.length} bytes, by ${by}`;
        throw new Error(`${name}, ${place}: ${JSON.stringify(outcome.text.slice(-300))}`, { cause });
      }
    }
};

const everywhere = ({ bytes }: WrittenStream): readonly number[] =>
  Array.from({ length: bytes.length + 1 }, (_, length) => length);

/**
 * Returns lengths around the end of each of the last frames, and one after every `every` bytes, of which a run tries a quarter.
 */
export const sample = (stream: WrittenStream, every: number): readonly number[] => {
  const step = every * thinned(4);
  const near = stream.places
    .slice(-3)
    .flatMap(({ textEnd, end }) => [textEnd - 1, textEnd, textEnd + 1, end - 1, end, end + 1]);
  return everywhere(stream).filter((length) => (length + sampleNumber) % step === 0 || near.includes(length));
};
