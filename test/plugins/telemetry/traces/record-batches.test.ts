import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BatchTaker, RecordBatches } from '../../../../plugins/telemetry/traces/record-batches.ts';
import { readRecords } from '../../../../plugins/telemetry/traces/record-codec.ts';
import { RecordReader } from '../../../../plugins/telemetry/traces/record-reader.ts';
import type { RequestRecord } from '../../../../plugins/telemetry/traces/records.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const requestOf = (path: string): RequestRecord => [
  'request',
  ['a'.repeat(32), 'b'.repeat(16), null, null],
  'POST',
  path,
  'chat',
  'trace',
  1,
  2.5,
  200,
  null,
  null,
  null,
  [],
];

class Taken implements BatchTaker {
  readonly batches: Uint8Array[] = [];
  readonly copies: string[] = [];
  waiting = 0;
  isFull = false;

  next(bytes: number): Buffer | undefined {
    return this.isFull ? undefined : Buffer.alloc(Math.max(bytes, 4096));
  }
  take(batch: Uint8Array, copies: Uint8Array): void {
    this.batches.push(batch);
    this.copies.push(Buffer.from(copies).toString());
  }
  waitingBytes(): number {
    return this.waiting;
  }
  get paths(): readonly unknown[] {
    const reader = new RecordReader();
    return this.batches.flatMap((batch) => readRecords(reader, Buffer.from(batch))).map((record) => record[3]);
  }
}

const start = () => {
  const taken = new Taken();
  const told: string[] = [];
  return { taken, told, records: new RecordBatches(taken, (text) => told.push(text)) };
};

afterEach(() => {
  vi.useRealTimers();
});

describe('batches of records', () => {
  it('have every record as it is and in its order, however long records are', () => {
    const path = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat({ max: 100_000 }).map((length) => 'é'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const { taken, told, records } = start();
        for (const each of paths) records.add(requestOf(each));
        records.flush();
        expect(taken.paths).toEqual(paths);
        expect(told).toEqual([]);
      }),
      { ...lawRuns, numRuns: 30 },
    );
  });

  it('have copies at their ends, each before those of earlier records, and together no more than fits', () => {
    const { taken, records } = start();
    records.add(requestOf('/a'), [Buffer.from('1'), Buffer.alloc(0), Buffer.from('23')]);
    records.add(requestOf('/b'), [Buffer.from('456')]);
    records.add(requestOf('/c'), [Buffer.alloc(4000, 'x')]);
    records.add(requestOf('/d'));
    records.flush();
    expect(taken.paths).toEqual(['/a', '/b', '/c', '/d']);
    expect(taken.copies).toEqual(['456231', 'x'.repeat(4000), '']);
  });

  it('are handed over soon, without the next record', () => {
    vi.useFakeTimers();
    const { taken, records } = start();
    records.add(requestOf('/first'));
    records.add(requestOf('/second'));
    taken.waiting = 1;
    vi.advanceTimersByTime(1000);
    // Others are to be read before.
    expect(taken.batches).toEqual([]);
    taken.waiting = 0;
    vi.runAllTimers();
    expect(taken.batches).toHaveLength(1);
    expect(taken.paths).toEqual(['/first', '/second']);
    records.flush();
    expect(taken.batches).toHaveLength(1);
  });

  it('have no more spans, and then no more records, while too much waits to be read; the operator is told once', () => {
    const { taken, told, records } = start();
    expect(records.takesSpan()).toBe(true);
    taken.waiting = 2 ** 21;
    expect([records.takesSpan(), records.takesSpan()]).toEqual([false, false]);
    records.add(requestOf('/measured'));
    records.flush();
    taken.isFull = true;
    records.add(requestOf('/dropped'));
    [taken.isFull, taken.waiting] = [false, 0];
    expect(records.takesSpan()).toBe(true);
    records.flush();
    expect(taken.paths).toEqual(['/measured']);
    expect(records.dropped).toBe(3);
    expect(told).toEqual([expect.stringMatching(/^Spans are dropped/)]);
  });
});
