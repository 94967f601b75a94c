import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import type { JsonReply } from '../../../sdk/route/route-row.ts';

export const text = { type: 'string' } as const;
export const seconds = { type: 'integer', description: 'Seconds since the epoch.' } as const;

/** The schema of a member that may be null. In a change, null removes the stored value. */
export const orNull = <const Schema extends ParameterSchema>(
  schema: Schema,
): { readonly anyOf: readonly [Schema, { readonly type: 'null' }] } => ({ anyOf: [schema, { type: 'null' }] });

export const textOrNull: ParameterSchema = orNull(text);

/** The schema of an object with these members, which are all required except those named as optional. */
export const objectSchema = (
  properties: { readonly [name: string]: ParameterSchema },
  optional: { readonly [name: string]: ParameterSchema } = {},
): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

/** A schema that is a component of this name in `openapi.json`. */
export const titled = <const Schema extends ParameterSchema>(
  title: string,
  schema: Schema,
): Schema & { readonly title: string } => ({ title, ...schema });

/** The schema of a page of a list. Its name derives from that of its items. */
export const listSchema = (items: ParameterSchema): ParameterSchema => ({
  ...(items.title === undefined ? {} : { title: `${items.title}List` }),
  ...objectSchema({
    object: { const: 'list' },
    total: { type: 'integer', description: 'The total number on all pages.' },
    data: { type: 'array', items },
  }),
});

/** The schema of an empty reply. */
export const nothingSchema: ParameterSchema = titled('Nothing', { type: 'object', properties: {} });

/** The replies to a forwarded request: the provider's response, as JSON or any bytes, or the reason why it was not forwarded. */
export const forwardedReplies = [{ type: 'object', additionalProperties: true }, 'bytes'] as const;

/** Returns a 200 response with a record as it is shown, which is JSON. */
export const ok = (body: object): JsonReply => ({ status: 200, body: body as JsonObject });

export const listReply = (total: number, data: readonly object[]): JsonReply => ok({ object: 'list', total, data });

/** Returns a part of a list. The next part follows its last id. */
export const pageBody = (data: readonly JsonObject[], hasMore: boolean): JsonObject => ({
  ...{ object: 'list', data, has_more: hasMore },
  ...{ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
});

export const emptyReply: JsonReply = ok({});
