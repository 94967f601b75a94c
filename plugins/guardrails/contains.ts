import { defineGuardrail, type Guardrail } from '../sdk/guardrail.ts';

type Operator = 'any' | 'all' | 'none';

const holds: Readonly<Record<Operator, (found: number, words: number) => boolean>> = {
  any: (found) => found > 0,
  all: (found, words) => found === words,
  none: (found) => found === 0,
};

const inWords: Readonly<Record<Operator, string>> = {
  any: 'at least one of the words',
  all: 'all of the words',
  none: 'none of the words',
};

const failed: Readonly<Record<Operator, string>> = {
  any: 'it contains none',
  all: 'it does not',
  none: 'it does',
};

/** Text must contain any, all or none of `words`. Case counts, and a word may stand inside another. */
export const contains: Guardrail = defineGuardrail({
  id: 'default.contains',
  parameters: {
    type: 'object',
    required: ['words', 'operator'],
    properties: {
      words: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        description: 'What to look for; case counts.',
      },
      operator: { enum: ['any', 'all', 'none'], description: 'How many of the words the text must contain.' },
    },
  },
  create({ words, operator }) {
    return ({ text }) => {
      const found = words.filter((word) => text.includes(word));
      const pass = holds[operator](found.length, words.length);
      return {
        pass,
        data: {
          explanation: `The text should contain ${inWords[operator]}, and ${pass ? 'that is so' : failed[operator]}.`,
          foundWords: found,
          missingWords: words.filter((word) => !found.includes(word)),
          operator,
        },
      };
    };
  },
});
