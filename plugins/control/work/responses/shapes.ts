import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';

export const openObject: ParameterSchema = { type: 'object', additionalProperties: true };
export const listOfItems: ParameterSchema = { type: 'array', items: openObject };
export const numberOrNull: ParameterSchema = { anyOf: [{ type: 'number' }, { type: 'null' }] };

/** What the data path answers: a response, or what a provider says of it. */
export const answers: readonly [ParameterSchema, 'events'] = [openObject, 'events'];
