import { defineGuardrail, fail, type Guardrail, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import { spokenChoices } from '../shared/choice-texts.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { compileJsonSchema, jsonSchemaProblems } from './compile-json-schema.ts';
import { judgeJson } from './judge-json.ts';
import { repairWords } from './repair-words.ts';

/**
 * Each choice of the answer must contain JSON that is valid according to `schema`, a JSON Schema 2020-12. Fails without JSON.
 * With `repair`, the errors are sent to the model, which answers once more.
 */
export const jsonSchema: Guardrail = defineGuardrail({
  id: 'default.jsonSchema',
  phases: ['output'],
  parameters: {
    type: 'object',
    required: ['schema'],
    properties: {
      schema: { type: 'object', additionalProperties: true, description: 'A JSON Schema, version 2020-12.' },
      not: notParameter,
      repair: {
        type: 'boolean',
        default: false,
        description: 'Send the errors to the model once, and judge its next answer.',
      },
    },
  },
  faults: ({ schema, not, repair }) => [
    ...jsonSchemaProblems(schema),
    ...(not && repair ? ['With "not", there is nothing to repair. Remove "not" or "repair".'] : []),
  ],
  retries: ({ repair }) => repair,
  create({ schema, not, repair }) {
    const findFaults = compileJsonSchema(schema);
    const asking = (verdict: Verdict, choice: number, findings: readonly string[]): Verdict =>
      repair && !verdict.pass ? { ...verdict, retry: { say: repairWords(findings, schema), choice } } : verdict;
    return ({ spans }) => {
      const judged = spokenChoices(spans).map(({ choice, text }) => ({ choice, ...judgeJson(text, findFaults) }));
      const without = judged.find(({ found }) => found === 0);
      if (without !== undefined)
        return asking(fail('The answer has no JSON, so it cannot match the schema.'), without.choice, []);
      const invalid = judged.find(({ errors }) => errors.length > 0);
      const verdict = statementVerdict({
        holds: invalid === undefined,
        not,
        words: ['The answer has JSON that matches the schema', 'The JSON of the answer does not match the schema'],
        data: { validationErrors: (invalid?.errors ?? []).map(textExcerpt) },
      });
      return invalid === undefined ? verdict : asking(verdict, invalid.choice, invalid.errors);
    };
  },
});
