import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdChunk } from '../../../../plugins/sdk/http/hold-chunk.ts';

const held = (sizes: Iterable<number>): { readonly chunks: readonly Buffer[]; readonly given: Buffer } => {
  const chunks: Buffer[] = [];
  const given: Buffer[] = [];
  for (const size of sizes) {
    const chunk = Buffer.alloc(size, given.length);
    given.push(chunk);
    holdChunk(chunks, chunk);
  }
  return { chunks, given: Buffer.concat(given) };
};

describe('the held chunks of a body', () => {
  it('contain all bytes in order, whatever the chunk sizes are', () => {
    const sizes = fc.array(fc.oneof(fc.nat(3), fc.nat(40_000)), { maxLength: 1500, size: 'max' });
    fc.assert(
      fc.property(sizes, (each) => {
        const { chunks, given } = held(each);
        expect(Buffer.concat(chunks).equals(given)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('are merged if they are small, and kept as received if they are large', () => {
    const sizes = (count: number, size: number): number[] => Array.from({ length: count }, () => size);
    expect(held(sizes(1_000_000, 1)).chunks.length).toBeLessThan(1000);
    expect(held([...sizes(200_000, 1), ...sizes(500, 16_384), ...sizes(200_000, 1)]).chunks.length).toBeLessThan(1500);
    expect(held(sizes(2000, 16_384)).chunks).toHaveLength(2000);
    expect(held(sizes(255, 1)).chunks).toHaveLength(255);
  });
});
