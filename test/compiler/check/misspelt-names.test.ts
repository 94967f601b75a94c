import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMisspelt } from '../../../compiler/check/providers/misspelt-names.ts';
import { spelling } from '../../../compiler/diagnostics/spelling.ts';

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[-_.]/);

/**
 * Returns whether two words differ by one added, removed or replaced letter, or by two swapped letters, by trying all such
 * changes.
 */
const isOneSlip = (word: string, known: string, isWord: boolean): boolean => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const places = [...Array(word.length + 1).keys()];
  const longer = places.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at)));
  const shorter = places.map((at) => word.slice(0, at) + word.slice(at + 1));
  const swapped = places.map((at) => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2));
  const others = places.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at + 1)));
  const isSwap = swapped.includes(known);
  const differs = [...longer, ...shorter].includes(known);
  const isOther = known.length === word.length && others.includes(known);
  if (word === known || !/^[a-z]+$/.test(word + known) || Math.min(word.length, known.length) < 3) return false;
  return isSwap || (isOther && (known.length >= 5 || !isWord)) || (known.length > 3 && differs);
};

/** Finds the same as `findMisspelt`, by comparing the name with each known one. */
const plainly = (name: string, names: readonly string[]): string | undefined =>
  names.find((known) => {
    const [words, right] = [wordsOf(name), wordsOf(known)];
    const differing = words.flatMap((word, at) => (word === right[at] ? [] : [at]));
    const [at] = differing;
    const isSlip = words.length === right.length && differing.length === 1 && at !== undefined;
    const isWord = isSlip && names.flatMap(wordsOf).includes(words[at] ?? '');
    return spelling(name) === spelling(known) || (isSlip && isOneSlip(words[at] ?? '', right[at] ?? '', isWord));
  });

const word = fc.constantFrom(
  'gpt',
  'gtp',
  'mini',
  'minii',
  'mni',
  'imagee',
  'image',
  'live',
  'lite',
  '4',
  '5',
  '',
  'Mini',
  ' ',
);
const name = fc
  .array(fc.tuple(word, fc.constantFrom('-', '_', '.')), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, mark], at) => (at === 0 ? text : mark + text)).join(''));

describe('the known name for a misspelt one', () => {
  it('is the first one that a comparison with every name finds', () => {
    let found = 0;
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 12 }), (written, known) => {
        const meant = plainly(written, known);
        if (meant !== undefined) found += 1;
        expect(findMisspelt(written, known)).toBe(meant);
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(200);
  });

  it('is not searched for in a text of very many words', () => {
    const long = Array.from({ length: 50_000 }, () => 'word').join('-');
    expect(findMisspelt(`${long}s`, [long])).toBeUndefined();
    expect(findMisspelt('gtp-4', [long, 'gpt-4'])).toBe('gpt-4');
  });
});
