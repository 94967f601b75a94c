import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { saidText } from '../shared/said-text.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';

/** The text must end with `suffix`, optionally followed by a full stop. Throws for an empty text. */
export const endsWith: Guardrail = defineGuardrail({
  id: 'default.endsWith',
  parameters: {
    type: 'object',
    required: ['suffix'],
    properties: {
      suffix: { type: 'string', minLength: 1, description: 'The end that the text must have, case-sensitive.' },
      not: notParameter,
    },
  },
  create({ suffix, not }) {
    return (input) => {
      const text = notEmpty(saidText(input));
      return statementVerdict({
        holds: text.endsWith(suffix) || text.endsWith(`${suffix}.`),
        not,
        words: [`The text ends with "${suffix}"`, `The text does not end with "${suffix}"`],
        data: { suffix },
      });
    };
  },
});
