import { describe, expect, it } from 'vitest';
import { schemaError } from '../../../../plugins/sdk/parameters/schema-error.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';

const toFault = (keyword: string, params: object): string => {
  const error = { keyword, params: { ...params }, instancePath: toPointer(['slug']), schemaPath: '#' };
  const { message, hint } = schemaError(error, () => []);
  return `${message} ${hint}`;
};

describe('what a schema refuses', () => {
  it.each([
    ['minItems', { limit: 1 }, '"slug" must have at least 1 item. Add the missing items.'],
    ['maxItems', { limit: 2 }, '"slug" must have at most 2 items. Remove some items.'],
    ['minLength', { limit: 1 }, '"slug" must have at least 1 character. Use a longer string.'],
    [
      'pattern',
      { pattern: '^[a-zA-Z0-9_-]+$' },
      '"slug" may only have letters from A to Z, digits, "_" and "-". Remove all other characters.',
    ],
    ['pattern', { pattern: '^#[0-9a-fA-F]{6}$' }, '"slug" must be a colour. Write it as #0a7d33.'],
    ['pattern', { pattern: '^a' }, '"slug" must match ^a. Use a string that matches it.'],
  ])('is said in words: %s %j', (keyword, params, words) => {
    expect(toFault(keyword, params)).toBe(words);
  });
});
