import { describe, expect, it } from 'vitest';
import { typeAdvice } from '../../schema/json-schema/type-advice.ts';

/** JSON objects and lists that JavaScript cannot convert to a string or a number. */
const unprintable: readonly unknown[] = [{ toString: [1] }, { valueOf: 1, toString: null }, [{ toString: [1] }]];

describe('the advice for a value of the wrong type', () => {
  it.each(['number', 'integer', 'array', 'boolean', 'string', 'object', 'null'])(
    'never converts the value to a string if a %s is expected',
    (type) => {
      for (const value of unprintable) expect(typeAdvice(type, value) ?? '').not.toContain('1');
    },
  );
});
