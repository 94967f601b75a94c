import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeclaredLabel,
  describeLabel,
  labelMatcher,
  listedValues,
} from '../../../schema/config/declared-labels.ts';
import type { Json } from '../../../schema/json/json.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const value = fc.constantFrom<Json>('', 'gold', 'free', 'né', '🙂🙂', '7', 0, 1, 7, 1.5, -3, true, false);
const bound = fc.integer({ min: 0, max: 5 });

const label: fc.Arbitrary<DeclaredLabel> = fc.record(
  {
    type: fc.constantFrom('string', 'number', 'integer', 'boolean'),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
    const: value,
    pattern: fc.constantFrom('^g', 'e', '^[a-z]+$', '^$'),
    ...{ minLength: bound, maxLength: bound, minimum: bound, maximum: bound },
  },
  { requiredKeys: [] },
);

describe('a declared label', () => {
  it('allows what JSON Schema allows', () => {
    const ajv = new Ajv({ strict: false });
    fc.assert(
      fc.property(label, value, (declared, each) => {
        expect(labelMatcher(declared)(each)).toBe(ajv.validate(declared, each));
      }),
      lawRuns,
    );
  });

  it('allows only listed values if it lists values', () => {
    fc.assert(
      fc.property(label, value, (declared, each) => {
        const listed = listedValues(declared);
        if (listed !== undefined && labelMatcher(declared)(each)) expect(listed).toContain(each);
      }),
      lawRuns,
    );
  });

  it.each<[DeclaredLabel, string]>([
    [{ enum: ['free', 'gold'] }, '"free" or "gold"'],
    [{ const: 1 }, '1'],
    [{ enum: Array.from({ length: 12 }, (_, index) => index) }, '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 2 further values'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'integer', minimum: 1 }, 'a whole number of at least 1'],
    [{ minimum: 0, maximum: 1 }, 'a number of 0 to 1'],
    [{ minLength: 1, maxLength: 64 }, 'a string of 1 to 64 characters'],
    [{ type: 'string', minLength: 1 }, 'a string of at least 1 character'],
    [{ pattern: '^a' }, 'a string that matches "^a"'],
    [{}, 'a string, a number, true or false'],
  ])('%j is described in words', (declared, words) => {
    expect(describeLabel(declared)).toBe(words);
  });
});
