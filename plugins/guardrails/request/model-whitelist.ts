import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { toModel } from './to-model.ts';

/** Each model that a request names must be one of `models`. Throws for a request without a model. */
export const modelWhitelist: Guardrail = defineGuardrail({
  id: 'default.modelWhitelist',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['models'],
    properties: {
      models: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        description: 'Names of models, as they are in requests.',
      },
      not: notParameter,
    },
  },
  create({ models, not }) {
    const allowed = new Set(models);
    const isListed = (model: string): boolean => allowed.has(model);
    return (input) => {
      const model = toModel(input, { isListed, not });
      const shown = textExcerpt(model);
      return statementVerdict({
        holds: isListed(model),
        not,
        words: [`The model "${shown}" is in the list`, `The model "${shown}" is not in the list`],
        data: { requestedModel: shown },
      });
    };
  },
});
