import type { ParameterSchema } from '../../sdk/from-schema.ts';
import {
  defaultsSchema,
  kindSchema,
  rotationPolicySchema,
  scopesSchema,
  secondsSchema,
  statusSchema,
} from './key-members.ts';

const text: ParameterSchema = { type: 'string' };
const orNull = (schema: ParameterSchema): ParameterSchema => ({ anyOf: [schema, { type: 'null' }] });

const whole = (properties: Readonly<Record<string, ParameterSchema>>): ParameterSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const made = {
  object: { const: 'api-key' },
  id: text,
  key: { type: 'string', description: 'The key itself, which is not shown again.' },
} as const;

/** A key that was just made. */
export const madeKeySchema: ParameterSchema = whole(made);

export const rotatedKeySchema: ParameterSchema = whole({ ...made, key_transition_expires_at: secondsSchema });

/** A key as it is shown. */
export const keySchema: ParameterSchema = whole({
  object: { const: 'api-key' },
  id: text,
  name: text,
  key: { type: 'string', description: 'Its mask.' },
  kind: kindSchema,
  organisation_id: text,
  workspace_id: orNull(text),
  user_id: orNull(text),
  scopes: scopesSchema,
  defaults: defaultsSchema,
  status: statusSchema,
  expires_at: orNull(secondsSchema),
  rotation_policy: orNull(rotationPolicySchema),
  key_transition_expires_at: orNull(secondsSchema),
  created_by: orNull(text),
  created_at: secondsSchema,
  last_updated_at: secondsSchema,
});

export const keyPageSchema: ParameterSchema = whole({
  object: { const: 'list' },
  total: { type: 'integer', description: 'How many there are on all pages.' },
  data: { type: 'array', items: keySchema },
});
