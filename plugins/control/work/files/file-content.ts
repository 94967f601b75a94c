import type { GatewayResponse, RawHeaders } from '../../../sdk/http/http.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { answerWithPlace } from '../../kernel/pools/claim-place.ts';
import type { SharedPools } from '../../kernel/pools/shared-pools.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import type { Files, StoredFile } from './files.ts';
import { findRange } from './find-range.ts';

type FileReader = Pick<RouteContext, 'headers' | 'cancellation' | 'tenant'>;

export interface FileContentParts {
  readonly files: Pick<Files, 'read'>;
  readonly pools: Pick<SharedPools, 'fileTransfers'>;
}

/** A name that any client saves a file under; what ASCII does not have is in the other form (RFC 6266). */
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

/** The bytes of a file, or the range of them that a request asks for, as fast as its client reads them. */
export const fileContent = (
  { files, pools }: FileContentParts,
  file: StoredFile,
  reader: FileReader,
): Promise<GatewayResponse> => answerWithPlace(pools.fileTransfers, reader, () => readContent(files, file, reader));
