import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { defineGuardrail, fail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { choiceTexts } from '../shared/choice-texts.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { operatorHolds, operatorInWords, operators } from '../shared/operator.ts';
import { jsonInText } from './json-in-text.ts';

const keysIn = (object: JsonObject, keys: readonly string[]): readonly string[] =>
  keys.filter((key) => Object.hasOwn(object, key));

/**
 * In each choice of the answer, some object must have any or all of `keys` at its top level; with `none`, no object may have any.
 * Fails without an object, and throws for an empty answer.
 */
export const jsonKeys: Guardrail = defineGuardrail({
  id: 'default.jsonKeys',
  phases: ['output'],
  parameters: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, description: 'Names of members.' },
      operator: { enum: operators, default: 'any', description: 'How many of the keys an object must have.' },
    },
  },
  create({ keys, operator }) {
    const allows = (object: JsonObject): boolean => operatorHolds(operator, keysIn(object, keys).length, keys.length);
    return ({ text, spans }) => {
      notEmpty(text);
      const choices = choiceTexts(spans).map((choice) => jsonInText(choice).filter(isJsonObject));
      if (choices.some((objects) => objects.length === 0)) return fail('The answer has no JSON object.');
      const pass = choices.every((objects) => (operator === 'none' ? objects.every(allows) : objects.some(allows)));
      const found = keys.filter((key) =>
        choices.some((objects) => objects.some((object) => Object.hasOwn(object, key))),
      );
      return {
        pass,
        data: {
          explanation: `The requirement that the JSON of the answer has ${operatorInWords(operator)} of the keys is ${pass ? 'met' : 'not met'}.`,
          operator,
          foundKeys: found,
          missingKeys: keys.filter((key) => !found.includes(key)),
        },
      };
    };
  },
});
