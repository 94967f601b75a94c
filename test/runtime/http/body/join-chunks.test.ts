import { expect, it } from 'vitest';
import { joinChunks } from '../../../../runtime/http/body/join-chunks.ts';

it('joinChunks releases the memory of chunks, except memory that others may use', () => {
  const own = Buffer.from(new Uint8Array(100_000).fill(1));
  const memory = new ArrayBuffer(10);
  const part = Buffer.from(memory, 2, 3).fill(2);
  const shared = Buffer.from(new SharedArrayBuffer(4)).fill(3);
  const pooled = Buffer.from('pooled');
  const whole = Buffer.from(Buffer.concat([own, part, shared, pooled]));
  expect(joinChunks([own, part, shared, pooled])).toEqual(whole);
  expect(own.length).toBe(0);
  expect([...part]).toEqual([2, 2, 2]);
  expect([...shared]).toEqual([3, 3, 3, 3]);
  expect(pooled.toString()).toBe('pooled');
});

it('joinChunks joins a chunk that occurs twice, and one without bytes', () => {
  const chunk = Buffer.from(new Uint8Array(3).fill(7));
  expect([...joinChunks([chunk, Buffer.from(new ArrayBuffer(0)), chunk])]).toEqual([7, 7, 7, 7, 7, 7]);
});
