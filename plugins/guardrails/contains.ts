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
  any: 'but it contains none of them',
  all: 'but it does not',
  none: 'but it contains some',
};

/** The text must contain any, all or none of `words`. Matching is case-sensitive, also inside other words. */
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
        description: 'The words to look for, case-sensitive.',
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
          explanation: `The text should contain ${inWords[operator]}, ${pass ? 'and it does' : failed[operator]}.`,
          foundWords: found,
          missingWords: words.filter((word) => !found.includes(word)),
          operator,
        },
      };
    };
  },
});
