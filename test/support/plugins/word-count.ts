import { defineGuardrail, fail, type Guardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';

const count = { type: 'integer', minimum: 1 } as const;

/** A check that needs at least one of two parameters, expressed in the simplest way. */
export const wordCount: Guardrail = defineGuardrail({
  id: 'test.wordCount',
  parameters: {
    type: 'object',
    properties: { minWords: count, maxWords: count },
    anyOf: [{ required: ['minWords'] }, { required: ['maxWords'] }],
  },
  faults: ({ minWords = 0, maxWords = Number.POSITIVE_INFINITY }) =>
    minWords > maxWords ? ['"minWords" is greater than "maxWords".'] : [],
  create({ minWords = 0, maxWords = Number.POSITIVE_INFINITY }) {
    return ({ text }) => {
      const words = text.match(/\S+/g)?.length ?? 0;
      return words >= minWords && words <= maxWords ? pass() : fail(`The text has ${words} words.`);
    };
  },
});

/** The same check with its members in the alternatives, under the given keyword. */
export const wordCountBy = (keyword: 'anyOf' | 'oneOf' | 'allOf', closed: boolean): Guardrail => {
  const option = (name: string): ParameterSchema => ({
    type: 'object',
    properties: { [name]: count },
    required: [name],
    ...(closed && { additionalProperties: false }),
  });
  return {
    id: `test.${keyword}${closed ? 'Closed' : ''}`,
    parameters: {
      type: 'object',
      properties: { language: { type: 'string' } },
      [keyword]: [option('minWords'), option('maxWords')],
    },
    create: () => () => pass(),
  };
};
