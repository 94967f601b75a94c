import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { toModel } from './to-model.ts';

type Models = readonly string[];
type ByValue = { readonly [value: string]: Models };

interface Rules {
  readonly defaults?: Models;
  readonly metadata?: { readonly [key: string]: ByValue };
}

/** Stands for every model in a list of models. */
const anyModel = '*';

const readTexts = (value: Json | undefined): readonly string[] => {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
};

/** Returns the models that the metadata of a request select, or the defaults if they select none. */
const selected = ({ defaults = [], metadata: rules = {} }: Rules, metadata: JsonObject): ReadonlySet<string> => {
  const models = Object.entries(rules).flatMap(([key, byValue]) =>
    readTexts(lookUp(metadata, key)).flatMap((value) => lookUp(byValue, value) ?? []),
  );
  return new Set(models.length > 0 ? models : defaults);
};

const listOfModels = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

/**
 * Each model that a request names must be one of those that the metadata of the request select. Throws for a request without a
 * model, and for one for which the rules name no model.
 */
export const modelRules: Guardrail = defineGuardrail({
  id: 'default.modelRules',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['rules'],
    properties: {
      rules: {
        type: 'object',
        description:
          'The models by the metadata of requests, and those for all other requests. "*" matches every model.',
        properties: {
          defaults: { ...listOfModels, description: 'The models if the metadata select none.' },
          metadata: {
            type: 'object',
            additionalProperties: { type: 'object', additionalProperties: listOfModels },
            description: 'The models by metadata key and value: {"tier":{"gold":["gpt-4o"]}}.',
          },
        },
      },
      not: notParameter,
    },
  },
  faults({ rules }) {
    const { defaults = [], metadata = {} }: Rules = rules;
    const lists = [defaults, ...Object.values(metadata).flatMap((byValue) => Object.values(byValue))];
    return lists.some((models) => models.length > 0) ? [] : ['The rules have no models. Add "defaults" or "metadata".'];
  },
  create({ rules, not }) {
    return (input) => {
      const models = selected(rules, input.metadata);
      const isListed = (name: string): boolean => models.has(name) || models.has(anyModel);
      const model = toModel(input, { isListed, not });
      const shown = textExcerpt(model);
      if (models.size === 0) throw new Error('The rules have no models for the metadata of this request.');
      return statementVerdict({
        holds: isListed(model),
        not,
        words: [`The rules name the model "${shown}"`, `The rules do not name the model "${shown}"`],
        data: { requestedModel: shown },
      });
    };
  },
});
