import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordedBytes } from '../../../../runtime/engine/continued-streams/recorded-bytes.ts';
import { unreservedBytes } from '../../../../runtime/upstream/held-memory.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const most = 4 * 1024 * 1024;

describe('the record of a stream', () => {
  it('consists of the bytes of its chunks, even if their memory is used again', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9000), { maxLength: 9 }), fc.nat(255), (sizes, first) => {
        const chunks = sizes.map((size, at) => Buffer.alloc(size, (first + at) % 256));
        const recorded = new RecordedBytes(undefined);
        const expected = Buffer.concat(chunks);
        for (const chunk of chunks) {
          recorded.add(chunk);
          chunk.fill(0);
        }
        expect(recorded.take()?.equals(expected)).toBe(true);
        expect(recorded.take()).toBeUndefined();
      }),
      lawRuns,
    );
  });

  it.each([
    [most - 1, true],
    [most, true],
    [most + 1, false],
  ])('of %i bytes is kept up to 4 MiB: %s', (size, isKept) => {
    for (const sizes of [[size], [size - 1, 1], [1, size - 1], [3_000_000, size - 3_000_000]]) {
      const recorded = new RecordedBytes(undefined);
      for (const each of sizes) recorded.add(Buffer.alloc(each));
      expect(recorded.take()?.length).toBe(isKept ? size : undefined);
    }
  });

  it('is dropped with all that follows if there is no memory for it', () => {
    const recorded = new RecordedBytes(() => false);
    recorded.add(Buffer.alloc(unreservedBytes));
    recorded.add(Buffer.alloc(1));
    recorded.add(Buffer.alloc(1));
    expect(recorded.take()).toBeUndefined();
    const small = new RecordedBytes(() => false);
    small.add(Buffer.alloc(unreservedBytes));
    small.add(Buffer.alloc(0));
    expect(small.take()?.length).toBe(unreservedBytes);
  });

  it('reserves no more than about twice its size, and never more than 4 MiB', () => {
    let reserved = 0;
    const recorded = new RecordedBytes((bytes) => {
      reserved += bytes;
      return true;
    });
    for (let size = 1000; size <= most; size += 1000) {
      recorded.add(Buffer.alloc(1000));
      expect(reserved).toBeLessThanOrEqual(Math.min(2 * size, most));
    }
  });
});
