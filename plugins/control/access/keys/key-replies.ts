import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { ownLimitReplies } from '../../kernel/limits/limit-members.ts';
import { listSchema, objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { defaultsSchema, kindSchema, rotationPolicySchema, scopesSchema, statusSchema } from './key-members.ts';

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
