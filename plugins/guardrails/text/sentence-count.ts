import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { rangeErrors, rangeVerdict } from '../shared/range.ts';
import { saidText } from '../shared/said-text.ts';

const ends: ReadonlySet<string> = new Set(['.', '!', '?']);

const countSentences = (text: string): number => {
  let count = 0;
  for (const character of text) if (ends.has(character)) count += 1;
  return count;
};

/** The number of sentences must be in a range. Each full stop, exclamation mark and question mark ends a sentence. */
export const sentenceCount: Guardrail = defineGuardrail({
  id: 'default.sentenceCount',
  parameters: {
    type: 'object',
    properties: {
      minSentences: { type: 'integer', minimum: 0, default: 0, description: 'The minimum number of sentences.' },
      maxSentences: { type: 'integer', minimum: 0, default: 99999, description: 'The maximum number of sentences.' },
      not: notParameter,
    },
  },
  faults: ({ minSentences, maxSentences }) => rangeErrors(minSentences, maxSentences, 'sentences'),
  create: ({ minSentences: min, maxSentences: max, not }) => {
    return (input) => rangeVerdict({ count: countSentences(saidText(input)), unit: 'sentences', min, max, not });
  },
});
