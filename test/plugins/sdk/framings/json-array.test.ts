import { describe, expect, it } from 'vitest';
import { jsonArray } from '../../../../plugins/sdk/framings/json-array.ts';
import { split } from './split.ts';

const read = (...texts: readonly string[]): ReturnType<typeof split> =>
  split(
    jsonArray.createSplitter(),
    texts.map((text) => Buffer.from(text)),
  );
const toData = (...texts: readonly string[]): readonly string[] => read(...texts).frames.map(({ data }) => data);

describe('a stream that is a JSON array', () => {
  it('is split into its elements in the layout that Google sends', () => {
    expect(toData('[{\n  "a": 1\n}\n,\r\n{\n  "b": [{}]\n}\n]')).toEqual(['{\n  "a": 1\n}', '{\n  "b": [{}]\n}']);
  });

  it('is not split at brackets, commas and quotes inside strings', () => {
    const tricky = ['{"a":"]}[{,\\"\\\\"}', '"],\\""', '["\\\\",{"é":"}"}]'];
    expect(toData(`[${tricky.join(',')}]`)).toEqual(tricky);
  });

  it('can have elements of any type', () => {
    expect(toData('[1.5, null ,true,"x"\n,{},[]]')).toEqual(['1.5', 'null', 'true', '"x"', '{}', '[]']);
    expect(toData('[12', '34,', '5]')).toEqual(['1234', '5']);
    expect(toData(' [ ] ')).toEqual([]);
  });

  it('yields an element as soon as its last byte arrives, and the closing bracket with its bytes', () => {
    const splitter = jsonArray.createSplitter();
    expect(splitter.push(Buffer.from('[{"a":1}')).frames).toEqual([{ data: '{"a":1}', end: 8 }]);
    expect(splitter.push(Buffer.from(',')).bytes).toHaveLength(0);
    expect(splitter.push(Buffer.from('{"b":2}]')).bytes.toString()).toBe(',{"b":2}]');
    expect(splitter.push(Buffer.from('\n')).bytes.toString()).toBe('\n');
    expect(splitter.heldBytes).toBe(0);
  });

  it('yields no frame for a truncated element', () => {
    const result = read('[{"a":1},{"b":');
    expect(result.frames).toEqual([{ data: '{"a":1}' }]);
    expect(result.bytes.toString()).toBe('[{"a":1},{"b":');
  });

  it.each(['{"error":{}}', '<html>', '[,{}]', '[{},]', '[{}{}]', '[{}]{}', '[1}', '[{}}]', '[{},,{}]'])(
    'cannot be %s',
    (text) => {
      expect(read(text).error).toEqual(new Error('The stream is not a JSON array.'));
    },
  );

  it('can contain any valid JSON as an element, and nothing else', () => {
    const texts = ['{"a":1}', 'null', '[DONE]', '', '{"a":', '{}]'];
    expect(texts.filter((data) => jsonArray.canWrite?.({ data }))).toEqual(['{"a":1}', 'null']);
  });

  it('is written with brackets and commas, however the frames are grouped', () => {
    const writer = jsonArray.createWriter();
    const pieces = [[{ data: '{"a":1}' }], [], [{ data: '2' }, { data: '3' }]].map((frames) => writer.write(frames));
    expect(Buffer.concat([...pieces, writer.end()]).toString()).toBe('[{"a":1},\r\n2,\r\n3]');
    expect(jsonArray.createWriter().end().toString()).toBe('[]');
  });
});
