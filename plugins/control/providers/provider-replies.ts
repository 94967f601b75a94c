import type { ParameterSchema } from '../../sdk/from-schema.ts';
import type { JsonReply } from '../../sdk/route-row.ts';
import { ownLimitReplies } from '../policies/limit-members.ts';
import { ok, orNull, recordOf, seconds, text, textOrNull, titled } from '../saved/replies.ts';

const shared = {
  ...{ id: text, slug: text, name: text, provider: text },
  settings: { type: 'object', additionalProperties: true },
  credential: { type: 'object', additionalProperties: text, description: 'Placeholders of the sealed secrets.' },
  ...{ created_at: seconds, last_updated_at: seconds },
} as const satisfies { readonly [name: string]: ParameterSchema };

/** A provider or virtual key that is read. */
export const providerSchema: ParameterSchema = titled(
  'Provider',
  recordOf({
    object: { type: 'string', enum: ['provider', 'virtual-key'] },
    ...shared,
    workspace_id: text,
    ...{ integration_id: textOrNull, note: textOrNull, expires_at: orNull(seconds) },
    status: { type: 'string', enum: ['active', 'exhausted'] },
    ...ownLimitReplies,
  }),
);

/** An integration that is read. */
export const integrationSchema: ParameterSchema = titled(
  'Integration',
  recordOf({
    object: { const: 'integration' },
    ...shared,
    organisation_id: text,
    allow_all_models: { type: 'boolean' },
    workspaces: orNull({ type: 'array', items: text }),
    workspace_limits: { type: 'array', items: recordOf({ workspace_id: text, ...ownLimitReplies }) },
  }),
);

/** What was created or changed. */
export const doneSchema: ParameterSchema = titled(
  'SavedReference',
  recordOf({
    success: { const: true },
    data: recordOf({ id: text, slug: text }),
  }),
);

export const doneReply = ({ id, slug }: { readonly id: string; readonly slug: string }): JsonReply =>
  ok({ success: true, data: { id, slug } });
