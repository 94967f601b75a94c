import { expect, it } from 'vitest';
import { ndjson } from '../../../../plugins/sdk/framings/ndjson.ts';
import { split } from './split.ts';

const read = (text: string): ReturnType<typeof split> => split(ndjson.createSplitter(), [Buffer.from(text)]);

it('reads a frame from each non-empty line, including a last line without a line break', () => {
  expect(read('{"a":1}\n\r\n{"b":"é"}\r\n {"c":3}').frames).toEqual([
    { data: '{"a":1}' },
    { data: '{"b":"é"}' },
    { data: '{"c":3}' },
  ]);
});

it('writes a multi-line JSON text as one line', () => {
  const text = JSON.stringify({ a: ['x\ny'] }, null, 2);
  const bytes = ndjson.createWriter().write([{ data: text }, { data: '{"b":2}' }]);
  const [first, second] = read(bytes.toString()).frames;
  expect(JSON.parse(first?.data ?? '')).toEqual({ a: ['x\ny'] });
  expect(second).toEqual({ data: '{"b":2}' });
});
