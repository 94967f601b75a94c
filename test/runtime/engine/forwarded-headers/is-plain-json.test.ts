import { describe, expect, it } from 'vitest';
import { isPlainJson } from '../../../../runtime/engine/forwarded-headers/is-plain-json.ts';

describe('a body, by its headers', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset=utf-8',
    'application/json\t',
  ])('is plain JSON if its type is %j', (type) => {
    expect(isPlainJson(['X-Id', '1', 'Content-Type', type])).toBe(true);
  });

  it.each(['', 'text/plain', 'application/jsonl', 'application/json-seq', 'application/json x', 'x/application/json'])(
    'is not plain JSON if its type is %j',
    (type) => {
      expect(isPlainJson(['Content-Type', type])).toBe(false);
    },
  );

  it('is not plain JSON if it has no type or is encoded', () => {
    expect(isPlainJson([])).toBe(false);
    expect(isPlainJson(['X-Type', 'application/json'])).toBe(false);
    expect(isPlainJson(['Content-Type', 'application/json', 'Content-Encoding', 'gzip'])).toBe(false);
  });
});
