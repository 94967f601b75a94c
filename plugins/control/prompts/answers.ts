import { type GatewayError, gatewayError } from '../../../schema/errors.ts';
import type { InputProblem } from '../../../schema/input-problem.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { isNonEmpty, type JsonObject } from '../../../schema/json.ts';
import type { ParameterSchema } from '../../sdk/from-schema.ts';
import type { JsonReply } from '../../sdk/route-row.ts';

export const text = { type: 'string' } as const;
export const seconds = { type: 'integer', description: 'Seconds since the epoch.' } as const;
export const textOrNull: ParameterSchema = { anyOf: [text, { type: 'null' }] };

/** An object with these members, all of them there but those that are named as optional. */
export const recordOf = (
  properties: { readonly [name: string]: ParameterSchema },
  optional: { readonly [name: string]: ParameterSchema } = {},
): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

export const listOf = (items: ParameterSchema): ParameterSchema =>
  recordOf({ object: { const: 'list' }, total: { type: 'integer' }, data: { type: 'array', items } });

/** What there is when nothing is left to say. */
export const nothingSchema: ParameterSchema = { type: 'object', properties: {} };

export const ok = (body: JsonObject): JsonReply => ({ status: 200, body });

export const listReply = (total: number, data: readonly JsonObject[]): JsonReply => ok({ object: 'list', total, data });

export const emptyReply: JsonReply = ok({});

/** A record of the kind `what` that there is not, or that another workspace has. `list` is the route that lists the kind. */
export const notFound = (what: string, name: string, list: string): GatewayError =>
  gatewayError('not-found', { what, name: name.slice(0, 255), suggestion: `${list} lists what there is.` });

export const conflict = (fact: string, suggestion: string): GatewayError =>
  gatewayError('conflict', { fact, suggestion });

/** Throws the `GatewayError` `invalid-input` if there is a problem. */
export const refuse = (problems: readonly InputProblem[]): void => {
  if (isNonEmpty(problems)) throw invalidInput(problems);
};
