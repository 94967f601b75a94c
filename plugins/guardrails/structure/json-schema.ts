import { defineGuardrail, fail, type Guardrail } from '../../sdk/guardrail.ts';
import { choiceTexts } from '../shared/choice-texts.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { compileJsonSchema, jsonSchemaProblems } from './compile-json-schema.ts';
import { judgeJson } from './judge-json.ts';

/** Each choice of the answer must have JSON that is valid by `schema`, a JSON Schema 2020-12. Without JSON it fails. */
export const jsonSchema: Guardrail = defineGuardrail({
  id: 'default.jsonSchema',
  phases: ['output'],
  parameters: {
    type: 'object',
    required: ['schema'],
    properties: {
      schema: { type: 'object', additionalProperties: true, description: 'A JSON Schema, version 2020-12.' },
      not: notParameter,
    },
  },
  faults: ({ schema }) => jsonSchemaProblems(schema),
  create({ schema, not }) {
    const faultsOf = compileJsonSchema(schema);
    return ({ spans }) => {
      const judged = choiceTexts(spans).map((text) => judgeJson(text, faultsOf));
      const without = judged.find(({ found }) => found === 0);
      if (without !== undefined) return fail('The answer has no JSON, so it cannot be valid by the schema.');
      const invalid = judged.find(({ faults }) => faults.length > 0);
      return statementVerdict({
        holds: invalid === undefined,
        not,
        words: ['The answer has JSON that is valid by the schema', 'The JSON of the answer is not valid by the schema'],
        data: { validationErrors: (invalid?.faults ?? []).map(textExcerpt) },
      });
    };
  },
});
