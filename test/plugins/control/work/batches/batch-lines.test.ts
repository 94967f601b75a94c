import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from '../../../../../plugins/control/work/batches/batch/batch-lines.ts';

const inPieces = async function* (text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

const linesOf = async (text: string, size: number): Promise<readonly object[]> => {
  const lines: object[] = [];
  for await (const { bytes, ...place } of readLines(inPieces(text, size), 8))
    lines.push({ ...place, text: bytes?.toString().trim() });
  return lines;
};

it('reads lines with their numbers and places, whichever are blank and in whatever pieces they arrive', async () => {
  const text = fc.array(fc.constantFrom('\n', ' ', '\r', 'a', '{}'), { maxLength: 40 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (lines, size) => {
      let from = 0;
      const all = lines.split('\n').map((line, index) => {
        const to = from + line.length;
        const read = { number: index + 1, from, to, text: line.length > 8 ? undefined : line.trim() };
        from = to + 1;
        return read;
      });
      expect(await linesOf(lines, size)).toEqual(all.filter((line) => line.text !== ''));
    }),
  );
});
