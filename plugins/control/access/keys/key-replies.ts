import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { listSchema, objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';

/** The members of keys, as schemas that both bodies and answers have. */

export const kindSchema = { type: 'string', enum: ['organisation', 'workspace-service', 'workspace-user'] } as const;

export const statusSchema = { type: 'string', enum: ['active', 'exhausted', 'revoked'] } as const;

export const scopesSchema = {
  type: 'array',
  items: { type: 'string' },
  maxItems: 200,
  description: 'What the key may do, as "resource.verb". A key grants only scopes that its maker has.',
} as const;

export const defaultsSchema = {
  type: 'object',
  description: 'What requests made with the key have if they do not say it, or must not.',
  properties: {
    metadata: {
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: 100,
      description: 'Labels, which count more than those of a request.',
    },
    config_id: { type: 'string', description: 'The config of requests that name neither a config nor a provider.' },
    allow_config_override: {
      type: 'boolean',
      description: 'If false, every request is served by config_id. True if absent.',
    },
  },
} as const;

export const rotationPolicySchema = {
  type: 'object',
  description: 'When the key is due to be rotated. It is not rotated by itself.',
  properties: {
    rotation_period: { type: 'string', enum: ['weekly', 'monthly'] },
    next_rotation_at: { type: 'integer', description: 'Seconds since the epoch.' },
  },
} as const;

const made = {
  object: { const: 'api-key' },
  id: text,
  key: { type: 'string', description: 'The key itself, which is not shown again.' },
} as const;

/** A key that was just made. */
export const madeKeySchema: ParameterSchema = titled('CreatedApiKey', objectSchema(made));

export const rotatedKeySchema: ParameterSchema = titled(
  'RotatedApiKey',
  objectSchema({ ...made, key_transition_expires_at: seconds }),
);

/** A key as it is shown. */
export const keySchema: ParameterSchema = titled(
  'ApiKey',
  objectSchema(
    {
      object: { const: 'api-key' },
      id: text,
      name: text,
      key: { type: 'string', description: 'Its mask.' },
      kind: kindSchema,
      organisation_id: text,
      workspace_id: textOrNull,
      user_id: textOrNull,
      scopes: scopesSchema,
      defaults: defaultsSchema,
      status: statusSchema,
      ...ownLimitReplies,
      expires_at: orNull(seconds),
      rotation_policy: orNull(rotationPolicySchema),
      key_transition_expires_at: orNull(seconds),
      created_by: textOrNull,
      created_at: seconds,
      last_updated_at: seconds,
    },
    {
      shares_limits_of: {
        type: 'array',
        items: text,
        description:
          'The keys whose limits hold for this one as well, since they made it; absent where there are none.',
      },
    },
  ),
);

export const keyPageSchema: ParameterSchema = listSchema(keySchema);
