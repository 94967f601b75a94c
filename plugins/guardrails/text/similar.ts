import { defineGuardrail, fail, type Guardrail, pass } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';

/** Of longer texts, only this many UTF-16 units at the beginning are compared. */
const longest = 100_000;

/** Matches a run of letters and digits, or a single letter of a script that is written without spaces. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** Counts the occurrences of each word, and of each pair of neighbouring words. */
const countTerms = (text: string): ReadonlyMap<string, number> => {
  const words = text.slice(0, longest).toLowerCase().match(word) ?? [];
  const counts = new Map<string, number>();
  const add = (term: string): void => void counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [at, each] of words.entries()) {
    add(each);
    const next = words[at + 1];
    if (next !== undefined) add(`${each} ${next}`);
  }
  return counts;
};

const lengthOf = (counts: ReadonlyMap<string, number>): number =>
  Math.sqrt([...counts.values()].reduce((sum, count) => sum + count ** 2, 0));

/**
 * Returns how similar two texts are, from 0 for no word in common to 1 for the same words in the same order: the cosine of their
 * counts of words and of pairs of neighbouring words.
 */
export const similarity = (one: string, other: string): number => {
  const [first, second] = [countTerms(one), countTerms(other)];
  const lengths = lengthOf(first) * lengthOf(second);
  if (lengths === 0) return one === other ? 1 : 0;
  const common = [...first].reduce((sum, [term, count]) => sum + count * (second.get(term) ?? 0), 0);
  return Math.min(1, common / lengths);
};

/**
 * The answer to a mirrored copy must be as similar to the client's answer as the threshold requires. Throws for an empty text.
 */
export const similar: Guardrail = defineGuardrail({
  id: 'default.similar',
  phases: ['output'],
  comparesAnswers: true,
  parameters: {
    type: 'object',
    properties: {
      threshold: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: 'The minimum similarity, from 0 to 1.',
      },
    },
  },
  create:
    ({ threshold }) =>
    ({ text, reference }) => {
      if (reference === undefined) throw new Error('There is no answer to a client to compare with.');
      const found = Math.round(similarity(notEmpty(text), reference) * 1000) / 1000;
      const said = `The similarity is ${found}.`;
      return found >= threshold ? pass(said) : fail(`${said} At least ${threshold} is required.`);
    },
});
