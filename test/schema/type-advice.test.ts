import { describe, expect, it } from 'vitest';
import { typeAdvice } from '../../schema/json-schema/type-advice.ts';

/** Objects and lists of JSON that JavaScript cannot make a text or a number of. */
const unprintable: readonly unknown[] = [{ toString: [1] }, { valueOf: 1, toString: null }, [{ toString: [1] }]];

describe('the advice for a value of a wrong type', () => {
  it.each(['number', 'integer', 'array', 'boolean', 'string', 'object', 'null'])(
    'never makes a text of it, where a %s is expected',
    (type) => {
      for (const value of unprintable) expect(typeAdvice(type, value) ?? '').not.toContain('1');
    },
  );
});
