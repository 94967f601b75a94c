import type { ParameterSchema } from '../../sdk/from-schema.ts';

const text: ParameterSchema = { type: 'string' };
const time: ParameterSchema = { type: 'integer', description: 'Seconds since the epoch.' };
const orNull = (schema: ParameterSchema): ParameterSchema => ({ anyOf: [schema, { type: 'null' }] });

const shared = {
  ...{ id: text, slug: text, name: text, provider: text },
  settings: { type: 'object', additionalProperties: true },
  credential: { type: 'object', additionalProperties: text, description: 'Placeholders of the sealed secrets.' },
  ...{ created_at: time, last_updated_at: time },
} as const satisfies { readonly [name: string]: ParameterSchema };

const allOf = (properties: { readonly [name: string]: ParameterSchema }): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** A provider or virtual key that is read. */
export const providerSchema: ParameterSchema = allOf({
  object: { type: 'string', enum: ['provider', 'virtual-key'] },
  ...shared,
  workspace_id: text,
  ...{ integration_id: orNull(text), note: orNull(text), expires_at: orNull(time) },
  status: { type: 'string', enum: ['active', 'exhausted'] },
});

/** An integration that is read. */
export const integrationSchema: ParameterSchema = allOf({
  object: { const: 'integration' },
  ...shared,
  organisation_id: text,
  allow_all_models: { type: 'boolean' },
  workspaces: orNull({ type: 'array', items: text }),
});

export const listOf = (item: ParameterSchema): ParameterSchema =>
  allOf({ object: { const: 'list' }, total: { type: 'integer' }, data: { type: 'array', items: item } });

/** What was created or changed. */
export const doneSchema: ParameterSchema = allOf({
  success: { const: true },
  data: allOf({ id: text, slug: text }),
});

export const nothingSchema: ParameterSchema = { type: 'object' };
