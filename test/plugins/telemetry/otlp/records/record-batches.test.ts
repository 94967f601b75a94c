import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecordReader } from '../../../../../plugins/sdk/binary/record-reader.ts';
import { type BatchTaker, RecordBatches } from '../../../../../plugins/telemetry/otlp/records/record-batches.ts';
import { readRecords } from '../../../../../plugins/telemetry/otlp/records/record-codec.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { sampleRequest } from '../../../../support/telemetry/telemetry-records.ts';

class Taken implements BatchTaker {
  readonly batches: Uint8Array[] = [];
  waiting = 0;
  isFull = false;

  next(bytes: number): Buffer | undefined {
    return this.isFull ? undefined : Buffer.alloc(Math.max(bytes, 4096));
  }
  take(batch: Uint8Array): void {
    this.batches.push(batch);
  }
  waitingBytes(): number {
    return this.waiting;
  }
  get paths(): readonly unknown[] {
    const reader = new RecordReader();
    return this.batches
      .flatMap((batch) => readRecords(reader, Buffer.from(batch)))
      .map((record) => (record.kind === 'request' ? record.path : undefined));
  }
}

const start = () => {
  const taken = new Taken();
  const messages: string[] = [];
  return { taken, messages, records: new RecordBatches(taken, (text) => messages.push(text)) };
};

afterEach(() => {
  vi.useRealTimers();
});

describe('batches of records', () => {
  it('contain every record unchanged and in order, however long the records are', () => {
    const path = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat({ max: 100_000 }).map((length) => 'é'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const { taken, messages, records } = start();
        for (const each of paths) records.add(sampleRequest({ path: each }));
        records.flush();
        expect(taken.paths).toEqual(paths);
        expect(messages).toEqual([]);
      }),
      { ...lawRuns, numRuns: 30 },
    );
  });

  it('are split so that each fits its memory', () => {
    const { taken, records } = start();
    for (const path of ['/a', '/b', `/${'c'.repeat(3900)}`, '/d']) records.add(sampleRequest({ path }));
    records.flush();
    expect(taken.paths).toEqual(['/a', '/b', `/${'c'.repeat(3900)}`, '/d']);
    expect(taken.batches.map(({ length }) => length <= 4096)).toEqual([true, true, true]);
  });

  it('are handed over soon, even if no further record follows', () => {
    vi.useFakeTimers();
    const { taken, records } = start();
    records.add(sampleRequest({ path: '/first' }));
    records.add(sampleRequest({ path: '/second' }));
    taken.waiting = 1;
    vi.advanceTimersByTime(1000);
    // Other batches must be read first.
    expect(taken.batches).toEqual([]);
    taken.waiting = 0;
    vi.runAllTimers();
    expect(taken.batches).toHaveLength(1);
    expect(taken.paths).toEqual(['/first', '/second']);
    records.flush();
    expect(taken.batches).toHaveLength(1);
  });

  it('drop spans, and then all records, while too much waits to be read, and log that once', () => {
    const { taken, messages, records } = start();
    expect(records.takesSpan()).toBe(true);
    taken.waiting = 2 ** 21;
    expect([records.takesSpan(), records.takesSpan()]).toEqual([false, false]);
    records.add(sampleRequest({ path: '/measured' }));
    records.flush();
    taken.isFull = true;
    records.add(sampleRequest({ path: '/dropped' }));
    [taken.isFull, taken.waiting] = [false, 0];
    expect(records.takesSpan()).toBe(true);
    records.flush();
    expect(taken.paths).toEqual(['/measured']);
    expect(messages).toEqual([expect.stringMatching(/^Spans are dropped, because there are more than can be sent\. /)]);
    records.end();
    expect(messages.slice(1)).toEqual(['3 spans and measurements were dropped.']);
  });
});
