import type { ParameterSchema } from '../../sdk/from-schema.ts';
import { recordOf, seconds, text } from '../saved/replies.ts';
import { toSeconds } from '../saved/to-seconds.ts';
import type { KeptFile } from './files.ts';

export const fileSchema: ParameterSchema = recordOf(
  {
    id: text,
    object: { const: 'file' },
    bytes: { type: 'integer' },
    created_at: seconds,
    filename: text,
    purpose: text,
    status: { const: 'processed' },
    status_details: { type: 'null' },
  },
  { expires_at: seconds },
);

/** A file as clients see it. */
export const fileView = ({ id, bytes, createdAt, filename, purpose, expiresAt }: KeptFile): object => ({
  ...{ id, object: 'file', bytes, created_at: toSeconds(createdAt), filename, purpose },
  ...{ status: 'processed', status_details: null },
  ...(expiresAt === undefined ? {} : { expires_at: toSeconds(expiresAt) }),
});
