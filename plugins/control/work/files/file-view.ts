import type { JsonObject } from '../../../../schema/json/json.ts';
import type { FromSchema, ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { queryFault, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, seconds, text, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { FilePage, StoredFile } from './files.ts';
import { isOwnFile } from './is-own-file.ts';

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
export const shownFile = ({ id, bytes, createdAt, filename, purpose, status, expiresAt }: ShownFile): JsonObject => ({
  ...{ id, object: 'file', bytes, created_at: createdAt, filename, purpose, status, status_details: null },
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

/** A file of the gateway as clients see it. */
export const fileView = ({ createdAt, expiresAt, ...file }: StoredFile): JsonObject =>
  shownFile({
    ...{ ...file, createdAt: toSeconds(createdAt), status: 'processed' },
    ...(expiresAt === undefined ? {} : { expiresAt: toSeconds(expiresAt) }),
  });

/** The query of `GET /files`. Providers may have further parameters. */
export const filesQuery = {
  type: 'object',
  properties: {
    purpose: { type: 'string', description: 'Lists the files of this purpose alone.' },
    after: { type: 'string', description: 'The last id of the page before.' },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, description: 'How many are listed; 10,000 if absent.' },
    order: { type: 'string', enum: ['asc', 'desc'], description: 'By the time of their creation; desc if absent.' },
  },
  additionalProperties: true,
} as const;

export type FilesQuery = FromSchema<typeof filesQuery>;

/** Reads which of the gateway's files are asked for. Throws the `GatewayError` `invalid-input` for what it does not have. */
export const toFilePage = (query: FilesQuery): FilePage => {
  rejectNulCharacters(query, 'query');
  const { purpose, after, limit = 10_000, order = 'desc' } = query;
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(filesQuery.properties, name));
  if (unknown !== undefined)
    throw queryFault(
      unknown,
      `There is no query parameter "${unknown}" for files of the gateway.`,
      `The parameters are ${Object.keys(filesQuery.properties).join(', ')}.`,
    );
  if (after !== undefined && !isOwnFile(after))
    throw queryFault('after', 'This is no id of a file of the gateway.', 'Send the last_id of a page.');
  return { limit, order, after, purpose };
};
