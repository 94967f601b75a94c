import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { operatorHolds, operatorInWords, operators } from '../shared/operator.ts';

const passed = { any: 'and it does', all: 'and it does', none: 'and it contains none' } as const;
const failed = { any: 'but it contains none of them', all: 'but it does not', none: 'but it contains some' } as const;

/** The text must contain any, all or none of `words`. Matching is case-sensitive, and finds words inside other words. */
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
      operator: { enum: operators, description: 'How many of the words the text must contain.' },
    },
  },
  parts: ({ words, operator }) =>
    operator === 'none' ? { overlap: Math.max(...words.map(({ length }) => length)) - 1 } : undefined,
  create({ words, operator }) {
    const explained = (how: string): string =>
      `The text should contain ${operatorInWords(operator)} of the words, ${how}.`;
    const passing = explained(passed[operator]);
    const failing = explained(failed[operator]);
    return ({ text }) => {
      const found = words.filter((word) => text.includes(word));
      const pass = operatorHolds(operator, found.length, words.length);
      return {
        pass,
        data: {
          explanation: pass ? passing : failing,
          foundWords: found,
          missingWords: words.filter((word) => !found.includes(word)),
          operator,
        },
      };
    };
  },
});
