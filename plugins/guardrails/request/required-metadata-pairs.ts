import { type Json, writtenText } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { defineGuardrail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { patternErrors, type TextMatchType, textMatchTypes, textTest } from '../shared/match-text.ts';
import { operators } from '../shared/operator.ts';
import { metadataVerdict } from './metadata-verdict.ts';

type Expected = string | number | boolean | readonly (string | number | boolean)[];
type Pairs = { readonly [key: string]: Expected };

const toTexts = (expected: Expected): readonly string[] =>
  typeof expected === 'object' ? expected.map(String) : [String(expected)];

/** Returns a test of the metadata for each pair. If there are several values, one must match. */
const pairTests = (pairs: Pairs, type: TextMatchType): readonly (readonly [string, (value: Json) => boolean])[] =>
  Object.entries(pairs).map(([key, expected]) => {
    const tests = toTexts(expected).map((text) => textTest(type, text));
    return [key, (value) => tests.some((test) => test(writtenText(value)))] as const;
  });

const scalar = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } as const;

/** The request's metadata must have any, all or none of `metadataPairs`: keys with their values. */
export const requiredMetadataPairs: Guardrail = defineGuardrail({
  id: 'default.requiredMetadataKeyValuePairs',
  phases: ['input'],
  parameters: {
    type: 'object',
    required: ['metadataPairs'],
    properties: {
      metadataPairs: {
        type: 'object',
        additionalProperties: {
          anyOf: [...scalar.anyOf, { type: 'array', items: scalar, minItems: 1 }],
        },
        description: 'The required value of each key, or a list of allowed values.',
      },
      operator: { enum: operators, default: 'all', description: 'How many of the pairs must be present.' },
      matchType: { enum: textMatchTypes, default: 'exact', description: 'How values are compared.' },
    },
  },
  faults({ metadataPairs, matchType }) {
    const values = Object.values(metadataPairs);
    return values.length === 0
      ? ['"metadataPairs" has no pair. Add one.']
      : patternErrors(
          matchType,
          values.flatMap((value) => toTexts(value)),
        );
  },
  create({ metadataPairs, operator, matchType }) {
    const tests = pairTests(metadataPairs, matchType);
    const keys = tests.map(([key]) => key);
    return ({ metadata }) => {
      const found = tests.flatMap(([key, test]) => {
        const value = lookUp(metadata, key);
        return value !== undefined && test(value) ? [key] : [];
      });
      return metadataVerdict({ operator, what: 'pairs', wanted: keys, found });
    };
  },
});
