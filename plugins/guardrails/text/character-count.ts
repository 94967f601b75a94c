import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { rangeErrors, rangeVerdict } from '../shared/range.ts';
import { saidText } from '../shared/said-text.ts';

/** The length of the text in UTF-16 units must be in a range. Throws for an empty text. */
export const characterCount: Guardrail = defineGuardrail({
  id: 'default.characterCount',
  parameters: {
    type: 'object',
    properties: {
      minCharacters: { type: 'integer', minimum: 0, default: 0, description: 'The minimum number of characters.' },
      maxCharacters: {
        type: 'integer',
        minimum: 0,
        default: 9999999,
        description: 'The maximum number of characters.',
      },
      not: notParameter,
    },
  },
  faults: ({ minCharacters, maxCharacters }) => rangeErrors(minCharacters, maxCharacters, 'characters'),
  create: ({ minCharacters: min, maxCharacters: max, not }) => {
    return (input) => rangeVerdict({ count: notEmpty(saidText(input)).length, unit: 'characters', min, max, not });
  },
});
