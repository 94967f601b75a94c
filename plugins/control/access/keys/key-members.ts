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
