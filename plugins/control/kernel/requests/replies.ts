import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';

export const text = { type: 'string' } as const;
export const seconds = { type: 'integer', description: 'Seconds since the epoch.' } as const;

/** The schema of a member that may be null; in a change, that takes away what is stored. */
export const orNull = <const Schema extends ParameterSchema>(
  schema: Schema,
): { readonly anyOf: readonly [Schema, { readonly type: 'null' }] } => ({ anyOf: [schema, { type: 'null' }] });

export const textOrNull: ParameterSchema = orNull(text);

/** An object with these members, all of them there but those that are named as optional. */
export const objectSchema = (
  properties: { readonly [name: string]: ParameterSchema },
  optional: { readonly [name: string]: ParameterSchema } = {},
): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

/** A schema that `openapi.json` has as a component of this name. */
export const titled = <const Schema extends ParameterSchema>(
  title: string,
  schema: Schema,
): Schema & { readonly title: string } => ({ title, ...schema });

/** A page of a list, which is called what its items are. */
export const listSchema = (items: ParameterSchema): ParameterSchema => ({
  ...(items.title === undefined ? {} : { title: `${items.title}List` }),
  ...objectSchema({
    object: { const: 'list' },
    total: { type: 'integer', description: 'How many there are on all pages.' },
    data: { type: 'array', items },
  }),
});

/** The schema of an empty reply. */
export const nothingSchema: ParameterSchema = titled('Nothing', { type: 'object', properties: {} });

/** The replies to a request that is passed on: the provider's answer, or why it was not passed on: JSON, or any bytes. */
export const passedOn = [{ type: 'object', additionalProperties: true }, 'bytes'] as const;

/** A status 200 with a record as it is shown, which is JSON. */
export const ok = (body: object): JsonReply => ({ status: 200, body: body as JsonObject });

export const listReply = (total: number, data: readonly object[]): JsonReply => ok({ object: 'list', total, data });

/** A part of a list that goes on behind its last id. */
export const pageBody = (data: readonly JsonObject[], hasMore: boolean): JsonObject => ({
  ...{ object: 'list', data, has_more: hasMore },
  ...{ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
});

export const emptyReply: JsonReply = ok({});
