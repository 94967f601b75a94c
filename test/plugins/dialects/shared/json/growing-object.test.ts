import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingObject } from '../../../../../plugins/dialects/shared/json/growing-object.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';

const after = (pieces: readonly string[]): boolean => {
  const object = new GrowingObject();
  for (const piece of pieces) object.push(piece);
  return object.isWhole;
};

/** JSON texts, some with something before, after or missing, and texts made of JSON characters. */
const texts = fc.oneof(
  fc
    .tuple(fc.constantFrom('', ' \n', 'x'), fc.json(), fc.constantFrom('', ' ', '}', ' {}', ','))
    .map((all) => all.join('')),
  fc.object().map((value) => JSON.stringify(value)),
  fc
    .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', 'a', ':', ',', ' ', '1'), { maxLength: 20 })
    .map((all) => all.join('')),
);

describe('an object that arrives in pieces', () => {
  it('is complete exactly when its text is that of an object, wherever it is split', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        pieces.forEach((_, index) => {
          const so = pieces.slice(0, index + 1);
          expect(after(so)).toBe(parseObject(so.join('')) !== undefined);
        });
      }),
    );
  });
});
