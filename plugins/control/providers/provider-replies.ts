import type { ParameterSchema } from '../../sdk/from-schema.ts';
import type { JsonReply } from '../../sdk/route-row.ts';
import { ownLimitReplies } from '../policies/limit-members.ts';
import { ok, orNull, recordOf, seconds, text, textOrNull, titled } from '../saved/replies.ts';

/** What is read of what a record calls. */
export const destinationReplies: { readonly [name: string]: ParameterSchema } = {
  provider: text,
  settings: { type: 'object', additionalProperties: true },
  credential: { type: 'object', additionalProperties: text, description: 'Placeholders of the sealed secrets.' },
};

/** A provider or virtual key that is read. */
export const providerSchema: ParameterSchema = titled(
  'Provider',
  recordOf({
    object: { type: 'string', enum: ['provider', 'virtual-key'] },
    ...{ id: text, slug: text, name: text, created_at: seconds, last_updated_at: seconds },
    ...destinationReplies,
    workspace_id: text,
    ...{ integration_id: textOrNull, note: textOrNull, expires_at: orNull(seconds) },
    status: { type: 'string', enum: ['active', 'exhausted'] },
    ...ownLimitReplies,
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
