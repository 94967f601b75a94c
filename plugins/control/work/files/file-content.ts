import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { FromSchema, ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { ByteRange } from '../../kernel/blobs/blob-storage.ts';
import { answerWithPlace, type SharedPools } from '../../kernel/fairness/shared-pools.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import { queryFault, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, seconds, text, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { FilePage, Files, StoredFile } from './files.ts';
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

/** Converts a file to the form that clients see, whoever stores it. */
export const shownFile = ({ id, bytes, createdAt, filename, purpose, status, expiresAt }: ShownFile): JsonObject => ({
  ...{ id, object: 'file', bytes, created_at: createdAt, filename, purpose, status, status_details: null },
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

/** Converts a file of the gateway to the form that clients see. */
export const fileView = ({ createdAt, expiresAt, ...file }: StoredFile): JsonObject =>
  shownFile({
    ...{ ...file, createdAt: toSeconds(createdAt), status: 'processed' },
    ...(expiresAt === undefined ? {} : { expiresAt: toSeconds(expiresAt) }),
  });

/** The query of `GET /files`. Providers may have further parameters. */
export const filesQuery = {
  type: 'object',
  properties: {
    purpose: { type: 'string', description: 'Lists only the files with this purpose.' },
    after: { type: 'string', description: 'The last id of the previous page.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'The maximum number of listed files; 10,000 if absent.',
    },
    order: { type: 'string', enum: ['asc', 'desc'], description: 'The order by creation time; desc if absent.' },
  },
  additionalProperties: true,
} as const;

export type FilesQuery = FromSchema<typeof filesQuery>;

/**
 * Reads which of the gateway's files a query selects. Throws the `GatewayError` `invalid-input` for a parameter that the gateway
 * does not have.
 */
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
    throw queryFault('after', 'This is not the id of a file of the gateway.', 'Send the last_id of a page.');
  return { limit, order, after, purpose };
};

/**
 * Finds the range that a request asks for (RFC 9110 §14); undefined if it asks for everything, for several ranges, in another
 * unit, or for a range of another version. Throws the `GatewayError` `range-not-satisfiable`.
 */
const findRange = (
  headers: RawHeaders,
  {
    bytes,
    etag,
  }: {
    readonly bytes: number;
    /** The value of the header `etag`. */
    readonly etag: string;
  },
): ByteRange | undefined => {
  const condition = headerValue(headers, 'if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headerValue(headers, 'range') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const from = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (from < to) return { from, to };
  throw gatewayError(
    'range-not-satisfiable',
    { bytes: String(bytes) },
    { headers: ['content-range', `bytes */${bytes}`] },
  );
};

type FileReader = Pick<RouteContext, 'headers' | 'cancellation' | 'tenant'>;

/** Writes a file name that any client can save under. Characters outside of ASCII are in the extended form (RFC 6266). */
const disposition = (filename: string): string => {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%;/]/g, '_');
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

const readContent = async (
  files: Pick<Files, 'read'>,
  file: StoredFile,
  { headers, cancellation, tenant }: FileReader,
): Promise<GatewayResponse> => {
  const etag = `"${file.sha256}"`;
  const range = findRange(headers, { bytes: file.bytes, etag });
  const { from, to } = range ?? { from: 0, to: file.bytes };
  const pieces = files.read(tenant, file.id, range)[Symbol.asyncIterator]();
  // If the file cannot be read, the response is the error.
  const body = await IteratedBody.begun(pieces, cancellation);
  return {
    status: range === undefined ? 200 : 206,
    headers: [
      ...['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff', 'accept-ranges', 'bytes'],
      ...['content-length', String(to - from), 'content-disposition', disposition(file.filename), 'etag', etag],
      ...(range === undefined ? [] : ['content-range', `bytes ${from}-${to - 1}/${file.bytes}`]),
    ],
    origin: 'gateway',
    body,
  };
};

/** The headers of the bytes of a file. */
export const contentHeaders: ParameterSchema = {
  type: 'object',
  properties: {
    etag: {
      type: 'string',
      description: 'The version of these bytes; send it as if-range to request a range of the same version.',
    },
  },
};

/** Responds with the bytes of a file, or the requested range of them, as fast as the client reads them. */
export const fileContent = (
  {
    files,
    pools,
  }: {
    readonly files: Pick<Files, 'read'>;
    readonly pools: Pick<SharedPools, 'fileTransfers'>;
  },
  file: StoredFile,
  reader: FileReader,
): Promise<GatewayResponse> => answerWithPlace(pools.fileTransfers, reader, () => readContent(files, file, reader));
