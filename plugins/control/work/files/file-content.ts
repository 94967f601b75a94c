import { gatewayError } from '../../../../schema/errors/errors.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { answerWithPlace, type SharedPools } from '../../kernel/pools/shared-pools.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import type { ByteRange } from '../blobs/blob-storage.ts';
import type { Files, StoredFile } from './files.ts';

interface Measured {
  readonly bytes: number;
  /** As the header `etag` has it. */
  readonly etag: string;
}

/**
 * Finds the part that a request asks for (RFC 9110 §14); undefined if it asks for all, in several ranges or in another unit, or for
 * a part of what it does not have. Throws the `GatewayError` `range-not-satisfiable`.
 */
const findRange = (headers: RawHeaders, { bytes, etag }: Measured): ByteRange | undefined => {
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

interface FileContentParts {
  readonly files: Pick<Files, 'read'>;
  readonly pools: Pick<SharedPools, 'fileTransfers'>;
}

/** Writes a name that any client saves a file under; what ASCII does not have is in the other form (RFC 6266). */
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
  // Where the file cannot be read, that is the answer.
  const first = await pieces.next();
  const all = async function* (): AsyncGenerator<Buffer, void> {
    if (first.done !== true) yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const described: RawHeaders = [
    ...['content-type', 'application/octet-stream', 'x-content-type-options', 'nosniff', 'accept-ranges', 'bytes'],
    ...['content-length', String(to - from), 'content-disposition', disposition(file.filename), 'etag', etag],
    ...(range === undefined ? [] : ['content-range', `bytes ${from}-${to - 1}/${file.bytes}`]),
  ];
  return {
    status: range === undefined ? 200 : 206,
    headers: described,
    origin: 'gateway',
    body: new IteratedBody(all(), cancellation),
  };
};

/** Answers with the bytes of a file, or the range of them that a request asks for, as fast as its client reads them. */
export const fileContent = (
  { files, pools }: FileContentParts,
  file: StoredFile,
  reader: FileReader,
): Promise<GatewayResponse> => answerWithPlace(pools.fileTransfers, reader, () => readContent(files, file, reader));
