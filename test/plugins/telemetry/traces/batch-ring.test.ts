import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchRing } from '../../../../plugins/telemetry/traces/batch-ring.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const nothing = Buffer.alloc(0);

const start = () => {
  const read = new Int32Array(new SharedArrayBuffer(4));
  const posted: Uint8Array[] = [];
  const ring = new BatchRing({ read, post: (batch) => posted.push(batch) });
  return {
    ring,
    /** Whether there was room for it. */
    give(text: string): boolean {
      const memory = ring.next(text.length);
      if (memory !== undefined) ring.take(memory.subarray(0, memory.write(text)), nothing);
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

it('gives every batch to its reader as it was written, and has room for 32 that are not read', () => {
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.constant('read' as const) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.nat({ max: 40 }), fc.constant(200_000))),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { ring, give, read } = start();
      const waiting: string[] = [];
      for (const each of steps) {
        if (each === 'read') expect(read()).toBe(waiting.shift());
        else {
          const text = each[0].repeat(each[1]);
          expect(give(text)).toBe(waiting.length < 32);
          if (waiting.length < 32) waiting.push(text);
        }
        expect(ring.waitingBytes()).toBe(waiting.reduce((sum, text) => sum + text.length, 0));
      }
    }),
    { ...lawRuns, numRuns: 100 },
  );
});

it('has room again when nobody will read what waits', () => {
  const { ring, give } = start();
  while (give('some'));
  ring.clear();
  expect(ring.waitingBytes()).toBe(0);
  expect(give('more')).toBe(true);
  expect(ring.waitingBytes()).toBe(4);
});
