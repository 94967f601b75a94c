import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';

const longestKey = 64;

/** Pairs that a client attaches to a job: at most 16, keys of at most 64 characters, values of at most 512. */
export const metadataSchema: ParameterSchema = {
  anyOf: [
    { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 512 } },
    { type: 'null' },
  ],
  description: 'At most 16 pairs: keys of at most 64 characters, values of at most 512.',
};

/** What the schema of metadata cannot say. */
export const metadataProblems = (metadata: Json | undefined): readonly InputProblem[] =>
  Object.keys(isJsonObject(metadata) ? metadata : {})
    .filter((key) => [...key].length > longestKey)
    .map((key) => ({
      pointer: toPointer(['metadata', key]),
      message: `A key of "metadata" is longer than ${longestKey} characters.`,
      hint: 'Shorten it.',
    }));
