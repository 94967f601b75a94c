import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecords, writeRecord } from '../../../../plugins/telemetry/traces/record-codec.ts';
import { RecordReader } from '../../../../plugins/telemetry/traces/record-reader.ts';
import { RecordWriter } from '../../../../plugins/telemetry/traces/record-writer.ts';
import type {
  AttemptRecord,
  EventRecord,
  RequestRecord,
  SpanPlace,
  UnreadRecord,
  UsedTokens,
  WrittenRecord,
} from '../../../../plugins/telemetry/traces/records.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const text = fc.oneof(
  fc.constantFrom('', 'openai', 'chat', 'null', '\0', 'é'.repeat(128)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat({ max: 40_000 }).map((length) => '€'.repeat(length)),
);
const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 2 });
const number = fc.double({ noNaN: true });
const place: fc.Arbitrary<SpanPlace> = fc.tuple(text, text, nullable(text), nullable(text));
const amount = nullable(number);
const used: fc.Arbitrary<UsedTokens> = fc.tuple(number, number, amount, amount, amount, amount);
const operation = fc.constantFrom('converse', 'complete', 'embed', 'opaque');
// JSON has no other numbers.
const fact = fc.oneof(text, fc.boolean(), fc.integer());
const event: fc.Arbitrary<EventRecord> = fc.tuple(
  text,
  fc.integer(),
  fc.dictionary(text, fact, { noNullPrototype: true }),
);

const attempt: fc.Arbitrary<AttemptRecord> = fc.tuple(
  ...([fc.constant('attempt' as const), nullable(place), fc.boolean(), fc.boolean(), operation] as const),
  ...([text, text, nullable(text), text, text, number, number, number, nullable(number)] as const),
  ...([nullable(text), nullable(text), text, nullable(used), nullable(fc.array(text, { maxLength: 3 }))] as const),
);
const unread: fc.Arbitrary<UnreadRecord> = fc.tuple(
  fc.constant('unread' as const),
  attempt,
  text,
  text,
  number,
  number,
);
const request: fc.Arbitrary<RequestRecord> = fc.tuple(
  ...([fc.constant('request' as const), place, text, text, text, text, number, number, number] as const),
  ...([nullable(text), nullable(text), nullable(text), fc.array(event, { maxLength: 3 })] as const),
);
const record: fc.Arbitrary<WrittenRecord> = fc.oneof(attempt, unread, request);

/** Takes all that was written. */
const takenOf = (writer: RecordWriter): Buffer => {
  const batch = Buffer.alloc(writer.length);
  writer.take(batch.length, batch);
  return batch;
};

const requestOf = (method: string): RequestRecord => [
  ...(['request', ['', '', null, null], method, '/', 'chat', '', 1, 2, 200, null, null, null, []] as const),
];

describe('records', () => {
  it('are read as they were written, in as many batches as there are, whatever is left out between them', () => {
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
          if (then === 'hand over') read.push(...readRecords(reader, takenOf(writer)));
        }
        read.push(...readRecords(reader, takenOf(writer)));
        expect(read).toEqual(written);
      }),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 4) },
    );
  });

  it('have names that are written once, as long as there are not too many', () => {
    const [writer, reader] = [new RecordWriter(), new RecordReader()];
    const lengthOf = (method: string): number => {
      writeRecord(writer, requestOf(method));
      const batch = takenOf(writer);
      expect(readRecords(reader, batch)).toEqual([requestOf(method)]);
      return batch.length;
    };
    const first = lengthOf('m'.repeat(100));
    expect(lengthOf('m'.repeat(100))).toBeLessThan(first - 100);
    for (let at = 0; at < 2500; at += 1) lengthOf(`m${at}`);
    expect(lengthOf('m'.repeat(100))).toBeGreaterThan(100);
    // Long ones are not remembered.
    expect(lengthOf('m'.repeat(200))).toBe(lengthOf('m'.repeat(200)));
  });

  it('have the characters that Unicode has for what is none', () => {
    const writer = new RecordWriter();
    writeRecord(writer, requestOf('\ud83d cut'));
    expect(readRecords(new RecordReader(), takenOf(writer))).toEqual([requestOf('\ufffd cut')]);
  });

  it('are refused where they are something else', () => {
    const read = (bytes: readonly number[]): unknown => readRecords(new RecordReader(), Buffer.from(bytes));
    expect(() => read([7])).toThrow('No record is of the kind 7.');
    // A number of a name that nobody has written.
    expect(() => read([2, 0, 9])).toThrow('A record has the name 5, and 0 are known.');
    expect(() => read([2, 0, 1, 0, 0, 0, 9, 65])).toThrow('A record is longer than the bytes that are to be read.');
    expect(() => read([2, 0])).toThrow(RangeError);
  });
});
