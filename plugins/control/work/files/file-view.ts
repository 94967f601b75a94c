import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { objectSchema, seconds, text, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { StoredFile } from './files.ts';

export const fileSchema: ParameterSchema = titled(
  'File',
  objectSchema(
    {
      id: text,
      object: { const: 'file' },
      bytes: { type: 'integer' },
      created_at: seconds,
      filename: text,
      purpose: text,
      status: { enum: ['uploaded', 'processed', 'error'] },
      status_details: { type: 'null' },
    },
    { expires_at: seconds },
  ),
);

interface ShownFile extends Pick<StoredFile, 'id' | 'bytes' | 'filename' | 'purpose'> {
  /** Seconds since the epoch, like `expiresAt`. */
  readonly createdAt: number;
  readonly status: 'uploaded' | 'processed' | 'error';
  readonly expiresAt?: number;
}

/** A file as clients see it, whoever keeps it. */
export const shownFile = ({ id, bytes, createdAt, filename, purpose, status, expiresAt }: ShownFile): object => ({
  ...{ id, object: 'file', bytes, created_at: createdAt, filename, purpose, status, status_details: null },
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

/** A file of the gateway as clients see it. */
export const fileView = ({ createdAt, expiresAt, ...file }: StoredFile): object =>
  shownFile({
    ...{ ...file, createdAt: toSeconds(createdAt), status: 'processed' },
    ...(expiresAt === undefined ? {} : { expiresAt: toSeconds(expiresAt) }),
  });
