import { defineGuardrail, fail, type Guardrail, pass } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';

/** Longer texts are compared by their beginnings, in UTF-16 units. */
const longest = 100_000;

/** A run of letters and digits; a single letter of a script that is written without blanks. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** How often each word, and each pair of neighbouring words, occurs. */
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
 * How alike two texts are, from 0 for no word in common to 1 for the same words in the same order: the cosine of the angle between
 * how often they have each word and each pair of neighbouring words.
 */
export const similarity = (one: string, other: string): number => {
  const [first, second] = [countTerms(one), countTerms(other)];
  const lengths = lengthOf(first) * lengthOf(second);
  if (lengths === 0) return one === other ? 1 : 0;
  const common = [...first].reduce((sum, [term, count]) => sum + count * (second.get(term) ?? 0), 0);
  return Math.min(1, common / lengths);
};

/** The answer to a copy must be as alike to that of the client as the threshold says. An empty text throws. */
export const similar: Guardrail = defineGuardrail({
  id: 'default.similar',
  phases: ['output'],
  comparesAnswers: true,
  parameters: {
    type: 'object',
    properties: {
      threshold: { type: 'number', minimum: 0, maximum: 1, default: 0.5, description: 'The least similarity, 0 to 1.' },
    },
  },
  create:
    ({ threshold }) =>
    ({ text, reference }) => {
      if (reference === undefined) throw new Error('There is no answer of a client to compare with.');
      const found = Math.round(similarity(notEmpty(text), reference) * 1000) / 1000;
      const said = `The similarity is ${found}.`;
      return found >= threshold ? pass(said) : fail(`${said} At least ${threshold} is asked for.`);
    },
});
