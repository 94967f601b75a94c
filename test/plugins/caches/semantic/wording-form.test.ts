import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameWords } from '../../../../plugins/caches/semantic/guard/same-words.ts';
import { wordingForm } from '../../../../plugins/caches/semantic/guard/wording-form.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { type Pair, readPairs } from './pairs/read-pairs.ts';

const agree = ({ left, right }: Pair): boolean => {
  const form = wordingForm(left);
  return form !== undefined && form === wordingForm(right);
};

const lowerWord = fc.stringMatching(/^[a-z]{5,9}$/);
const name = fc.stringMatching(/^[A-Z][a-z]{4,8}$/);

describe('the form of a wording', () => {
  it('differs for any two questions with different answers, so that no embedder can merge them', () => {
    const pairs = readPairs('must-not-hit');
    expect(pairs.length).toBeGreaterThanOrEqual(180);
    expect(pairs.filter(agree)).toEqual([]);
  });

  it('is the same for wordings that differ only in courtesy, spelling or the opening of a question', () => {
    const pairs = readPairs('may-hit');
    expect(pairs.length).toBeGreaterThanOrEqual(120);
    const recognised = pairs.filter(({ about }) => about !== 'beyond what the guard recognises');
    expect(recognised.length).toBeGreaterThanOrEqual(90);
    expect(recognised.filter((pair) => !agree(pair))).toEqual([]);
  });

  it('differs if a number differs', () => {
    const law = fc.property(fc.nat(), fc.nat(), lowerWord, (one, other, word) => {
      fc.pre(one !== other);
      const form = wordingForm(`What are the ${one} ${word}?`);
      // A wording without a form, such as one that requests a number of "words" or "lines", matches nothing.
      if (form !== undefined) expect(form).not.toBe(wordingForm(`What are the ${other} ${word}?`));
    });
    fc.assert(law, lawRuns);
  });

  it('differs if two names are swapped', () => {
    const law = fc.property(
      name,
      name,
      fc.constantFrom('and', 'beats', 'to', 'of', 'or', ','),
      (one, other, between) => {
        fc.pre(one !== other);
        const asked = (left: string, right: string): string | undefined =>
          wordingForm(`Who wins if ${left} ${between} ${right} meet?`);
        expect(asked(one, other)).not.toBe(asked(other, one));
      },
    );
    fc.assert(law, lawRuns);
  });

  it('differs if a word is removed, added or replaced', () => {
    const sentence = fc.array(lowerWord, { minLength: 2, maxLength: 8 });
    const law = fc.property(
      sentence,
      fc.nat(),
      fc.constantFrom('not', 'never', 'only', 'without', 'zzzzz'),
      (words, at, extra) => {
        const place = at % words.length;
        fc.pre(words[place] !== extra);
        const asked = (said: readonly string[]): string | undefined =>
          wordingForm(`What is the ${said.join(' ')} of it?`);
        const form = asked(words);
        expect(asked(words.toSpliced(place, 1))).not.toBe(form);
        expect(asked(words.toSpliced(place, 0, extra))).not.toBe(form);
        expect(asked(words.with(place, extra))).not.toBe(form);
      },
    );
    fc.assert(law, lawRuns);
  });

  it('is undefined if every word may matter', () => {
    const law = fc.property(
      fc.constantFrom('Translate', 'Spell', 'Correct this:', 'Wie sagt man', 'Rewrite'),
      lowerWord,
      (task, word) => {
        expect(wordingForm(`${task} the ${word}`)).toBeUndefined();
      },
    );
    fc.assert(law, lawRuns);
  });

  it('assigns each word to at most one group of synonyms', () => {
    const words = sameWords.flat();
    expect(new Set(words).size).toBe(words.length);
  });
});
