import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { countWords } from '../shared/count-words.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { rangeErrors, rangeVerdict } from '../shared/range.ts';
import { saidText } from '../shared/said-text.ts';

/** The number of words, separated by spaces, must be in a range. Throws for an empty text. */
export const wordCount: Guardrail = defineGuardrail({
  id: 'default.wordCount',
  parameters: {
    type: 'object',
    properties: {
      minWords: { type: 'integer', minimum: 0, default: 0, description: 'The minimum number of words.' },
      maxWords: { type: 'integer', minimum: 0, default: 99999, description: 'The maximum number of words.' },
      not: notParameter,
    },
  },
  faults: ({ minWords, maxWords }) => rangeErrors(minWords, maxWords, 'words'),
  create: ({ minWords: min, maxWords: max, not }) => {
    return (input) => rangeVerdict({ count: countWords(notEmpty(saidText(input))), unit: 'words', min, max, not });
  },
});
