import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchPool } from '../../../../plugins/telemetry/otlp/batch-pool.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const most = 128;

const start = () => {
  const read = new Int32Array(new SharedArrayBuffer(4));
  const posted: Uint8Array[] = [];
  const memories = new Set<ArrayBufferLike>();
  const post = (batch: Uint8Array): void => {
    posted.push(batch);
    memories.add(batch.buffer);
  };
  const pool = new BatchPool({ read, post });
  return {
    memories,
    pool,
    /** Writes a batch. Returns whether there was room for it. */
    give(text: string): boolean {
      const memory = pool.next(text.length);
      if (memory !== undefined) pool.take(memory.subarray(0, memory.write(text)));
      return memory !== undefined;
    },
    read(): string | undefined {
      const batch = posted.shift();
      if (batch === undefined) return undefined;
      const text = Buffer.from(batch).toString();
      Atomics.add(read, 0, 1);
      return text;
    },
  };
};

it('passes every batch to its reader unchanged, and has room for 128 unread batches', () => {
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.constant('read' as const) },
    {
      weight: 3,
      arbitrary: fc.tuple(
        fc.constantFrom('a', 'b', 'c'),
        fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 40 }) }, { weight: 1, arbitrary: fc.constant(200_000) }),
      ),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const { pool, give, read } = start();
      const waiting: string[] = [];
      for (const each of steps) {
        if (each === 'read') expect(read()).toBe(waiting.shift());
        else {
          const text = each[0].repeat(each[1]);
          expect(give(text)).toBe(waiting.length < most);
          if (waiting.length < most) waiting.push(text);
        }
        expect(pool.waitingBytes()).toBe(waiting.reduce((sum, text) => sum + text.length, 0));
      }
    }),
    { ...lawRuns, numRuns: 100 },
  );
});

it('has room again after it is cleared because nothing will be read', () => {
  const { pool, give } = start();
  while (give('some'));
  pool.clear();
  expect(pool.waitingBytes()).toBe(0);
  expect(give('more')).toBe(true);
  expect(pool.waitingBytes()).toBe(4);
});

it('uses no more memories than batches wait at once', () => {
  const { memories, give, read } = start();
  for (let round = 0; round < 100; round += 1) {
    for (const text of ['first', 'second']) give(text);
    expect([read(), read()]).toEqual(['first', 'second']);
  }
  expect(memories.size).toBe(2);
});
