import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordReader } from '../../../../../plugins/sdk/binary/record-reader.ts';
import { RecordWriter } from '../../../../../plugins/sdk/binary/record-writer.ts';
import { readRecords, writeRecord } from '../../../../../plugins/telemetry/otlp/records/record-codec.ts';
import type {
  AttemptRecord,
  EventRecord,
  OverheadRecord,
  RequestRecord,
  SpanPlace,
  UnreadRecord,
  UsedTokens,
  WrittenRecord,
} from '../../../../../plugins/telemetry/otlp/records/records.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { sampleRequest } from '../../../../support/telemetry/telemetry-records.ts';

const text = fc.oneof(
  fc.constantFrom('', 'openai', 'chat', 'null', '\0', 'é'.repeat(128)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat({ max: 40_000 }).map((length) => '€'.repeat(length)),
);
const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 2 });
const number = fc.double({ noNaN: true });
const place: fc.Arbitrary<SpanPlace> = fc.record({
  traceId: text,
  spanId: text,
  parentId: nullable(text),
  state: nullable(text),
});
const amount = nullable(number);
const used: fc.Arbitrary<UsedTokens> = fc.record({
  input: amount,
  output: amount,
  cacheRead: amount,
  cacheWritten: amount,
  reasoning: amount,
  nanoUsd: amount,
});
const operation = fc.constantFrom('converse', 'complete', 'embed', 'opaque');
// JSON has only finite numbers.
const fact = fc.oneof(text, fc.boolean(), fc.integer());
const event: fc.Arbitrary<EventRecord> = fc.record({
  name: text,
  at: fc.integer(),
  attributes: fc.dictionary(text, fact, { noNullPrototype: true }),
});

const facts = {
  place: nullable(place),
  isMeasured: fc.boolean(),
  isCallers: fc.boolean(),
  operation,
  provider: text,
  listedAs: text,
  origin: text,
  path: text,
  target: text,
  attempt: number,
  startedAt: number,
  endedAt: number,
  status: amount,
  error: nullable(text),
};
const attempt: fc.Arbitrary<AttemptRecord> = fc.record({
  kind: fc.constant('attempt'),
  ...facts,
  askedModel: nullable(text),
  streamFailure: nullable(text),
  model: text,
  usage: nullable(used),
  finishReasons: nullable(fc.array(text, { maxLength: 3 })),
});
const bytes = fc.uint8Array().map((each) => Buffer.from(each));
const unread: fc.Arbitrary<UnreadRecord> = fc.record({
  kind: fc.constant('unread'),
  facts: fc.record(facts),
  unread: fc.record({ dialect: text, request: bytes, answer: bytes }),
});
const request: fc.Arbitrary<RequestRecord> = place.chain((its) =>
  fc.record({
    kind: fc.constant('request'),
    place: fc.constant(its),
    spanName: nullable(text),
    method: text,
    scheme: fc.constantFrom('http', 'https'),
    path: text,
    endpoint: text,
    gatewayTraceId: fc.oneof(text, fc.constant(its.traceId)),
    startedAt: number,
    endedAt: number,
    status: number,
    cause: nullable(text),
    plan: nullable(text),
    cacheStatus: nullable(text),
    cacheSimilarity: nullable(number),
    events: fc.array(event, { maxLength: 3 }),
  }),
);
const overhead: fc.Arbitrary<OverheadRecord> = fc.record({
  ...{ kind: fc.constant('overhead'), plan: text, endpoint: text, ms: number },
});
const record: fc.Arbitrary<WrittenRecord> = fc.oneof(attempt, unread, request, overhead);

/** Takes everything that was written. */
const toTaken = (writer: RecordWriter): Buffer => {
  const batch = Buffer.alloc(writer.length);
  writer.take(batch.length, batch);
  return batch;
};

describe('records', () => {
  it('are read back as they were written, in any number of batches, whatever is cut between them', () => {
    const step = fc.tuple(record, fc.constantFrom('keep', 'leave out', 'hand over'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const [writer, reader] = [new RecordWriter(), new RecordReader()];
        const [written, read]: [WrittenRecord[], WrittenRecord[]] = [[], []];
        for (const [each, then] of steps) {
          const before = writer.length;
          writeRecord(writer, each);
          if (then === 'leave out') writer.cut(before);
          else written.push(each);
          if (then === 'hand over') read.push(...readRecords(reader, toTaken(writer)));
        }
        read.push(...readRecords(reader, toTaken(writer)));
        expect(read).toEqual(written);
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 4) },
    );
  });

  it('write a repeated name only once, unless there are too many names', () => {
    const [writer, reader] = [new RecordWriter(), new RecordReader()];
    const measureLength = (method: string): number => {
      writeRecord(writer, sampleRequest({ method }));
      const batch = toTaken(writer);
      expect(readRecords(reader, batch)).toEqual([sampleRequest({ method })]);
      return batch.length;
    };
    const first = measureLength('m'.repeat(100));
    expect(measureLength('m'.repeat(100))).toBeLessThan(first - 100);
    for (let at = 0; at < 2500; at += 1) measureLength(`m${at}`);
    expect(measureLength('m'.repeat(100))).toBeGreaterThan(100);
    // Long names are not remembered.
    expect(measureLength('m'.repeat(200))).toBe(measureLength('m'.repeat(200)));
  });

  it('keep their names if the cut part contained no new one', () => {
    const [writer, reader] = [new RecordWriter(), new RecordReader()];
    writeRecord(writer, sampleRequest({ method: 'm'.repeat(100) }));
    const before = writer.length;
    writeRecord(writer, sampleRequest({ method: 'm'.repeat(100) }));
    writer.cut(before);
    writeRecord(writer, sampleRequest({ method: 'm'.repeat(100) }));
    expect(writer.length).toBeLessThan(before + 150);
    expect(readRecords(reader, toTaken(writer))).toHaveLength(2);
    writeRecord(writer, sampleRequest({ method: 'm'.repeat(100) }));
    expect(writer.length).toBeLessThan(150);
    expect(readRecords(reader, toTaken(writer))).toHaveLength(1);
  });

  it('contain replacement characters for text that is not well-formed', () => {
    for (const cut of ['\ud83d cut', `${'long '.repeat(20)}\ud83d cut`]) {
      const writer = new RecordWriter();
      writeRecord(writer, sampleRequest({ method: cut }));
      expect(readRecords(new RecordReader(), toTaken(writer))).toEqual([sampleRequest({ method: cut.toWellFormed() })]);
    }
  });

  it('are rejected if they are malformed', () => {
    const read = (bytes: readonly number[]): unknown => readRecords(new RecordReader(), Buffer.from(bytes));
    expect(() => read([7])).toThrow('No record is of the kind 7.');
    // The number of a name that was never written.
    expect(() => read([2, 0, 9])).toThrow('A record has the name 5, but only 0 are known.');
    expect(() => read([2, 0, 1, 0, 0, 0, 9, 65])).toThrow('A record extends beyond the end of the bytes.');
    expect(() => read([2, 0])).toThrow(RangeError);
  });
});
