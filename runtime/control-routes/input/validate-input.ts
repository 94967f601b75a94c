import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../../plugins/sdk/parameters/schema-check.ts';
import type { SchemaMessage } from '../../../plugins/sdk/parameters/schema-error.ts';
import type { InputProblem } from '../../../schema/errors/input-problem.ts';
import type { Json } from '../../../schema/json/json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';

/** The parts of a request that a route has schemas for. */
export type InputPart = 'path' | 'query' | 'body';

/** A part with its defaults filled in, and its problems. */
export interface ValidatedPart {
  readonly value: Json;
  readonly problems: readonly InputProblem[];
}

const otherwise = 'GET /v1/openapi.json describes what this endpoint accepts.';

const words: Readonly<Record<InputPart, SchemaMessage>> = {
  path: { member: 'path parameter', whole: 'The path', otherwise },
  query: { member: 'query parameter', whole: 'The query', otherwise },
  body: { member: 'member', whole: 'The body', otherwise },
};

/** Validates a part of a request against its schema, which is that of a route that is served. */
export const validateInput = (part: InputPart, schema: ParameterSchema, given: Json): ValidatedPart => {
  const verdict = schemaCheck(schema, given, words[part], { isValid: true });
  if (verdict.kind === 'fits') return { value: verdict.value as Json, problems: [] };
  const problems = verdict.errors.map(({ path, ...reason }) => ({
    ...(part === 'body' ? {} : { in: part }),
    pointer: toPointer(path),
    ...reason,
  }));
  return { value: given, problems };
};
