import { randomUUID } from 'node:crypto';
import type { UpstreamCall } from '../../servers/upstream-server.ts';
import type { VendorRoute } from '../vendor-routes.ts';

const xml = (call: UpstreamCall, body: string, status = 200): void =>
  call.answer({ status, headers: { 'content-type': 'application/xml' }, body: `<?xml version="1.0"?>\n${body}` });

const refused = (call: UpstreamCall, status: number, code: string): void =>
  xml(call, `<Error><Code>${code}</Code><Message>It is refused: ${code}.</Message></Error>`, status);

/** Whether a storage keeps a header with an object and returns it. */
const isKept = (name: string): boolean =>
  /^x-(?:amz|goog)-meta-/.test(name) || name.startsWith('x-amz-server-side-encryption');

const loggedHeaders = ({ request: { rawHeaders } }: UpstreamCall): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (isKept(name)) kept[name] = rawHeaders[at + 1] ?? '';
  }
  return kept;
};

interface Upload {
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: string[];
}

export interface BucketObjects {
  readonly objects: Map<string, string>;
  /** The headers that are kept with each object. */
  readonly headers: Map<string, Readonly<Record<string, string>>>;
  /** The unfinished multipart uploads, by their ids. */
  readonly uploads: ReadonlyMap<string, Upload>;
  readonly routes: readonly VendorRoute[];
}

/**
 * Simulates the objects of one bucket, which the path names, in pages of two: https://docs.aws.amazon.com/AmazonS3/latest/API/
 * and https://cloud.google.com/storage/docs/xml-api/overview. A request that is not allowed is answered with 403.
 */
export const bucketObjects = (bucket: string, isAllowed: (call: UpstreamCall) => boolean): BucketObjects => {
  const objects = new Map<string, string>();
  const headers = new Map<string, Readonly<Record<string, string>>>();
  const uploads = new Map<string, Upload>();
  const path = new RegExp(`^/${bucket}/(.*)$`);
  const allowed =
    (run: (call: UpstreamCall, key: string, query: URLSearchParams) => void) =>
    (call: UpstreamCall, [key = '']: readonly string[]): void => {
      if (!isAllowed(call)) refused(call, 403, 'AccessDenied');
      else run(call, key, new URL(call.request.path, 'http://h').searchParams);
    };
  /** Stores an object. Fails if the request requires that it is new but it exists. */
  const keep = (
    call: UpstreamCall,
    key: string,
    object: { readonly text: string } & Pick<Upload, 'headers'>,
  ): boolean => {
    if (call.request.header('if-none-match') === '*' && objects.has(key)) {
      refused(call, 412, 'PreconditionFailed');
      return false;
    }
    objects.set(key, object.text);
    headers.set(key, object.headers);
    return true;
  };
  const put = allowed((call, key, query) => {
    const text = call.request.body.toString();
    const upload = uploads.get(query.get('uploadId') ?? '');
    if (query.has('uploadId') && upload === undefined) return refused(call, 404, 'NoSuchUpload');
    if (upload !== undefined) upload.parts[Number(query.get('partNumber')) - 1] = text;
    else if (!keep(call, key, { text, headers: loggedHeaders(call) })) return;
    call.answer({ headers: { etag: '"etag"' }, body: '' });
  });
  const post = allowed((call, key, query) => {
    if (query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { headers: loggedHeaders(call), parts: [] });
      return xml(call, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const id = query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (upload === undefined) return refused(call, 404, 'NoSuchUpload');
    if (!keep(call, key, { text: upload.parts.join(''), headers: upload.headers })) return;
    uploads.delete(id);
    xml(call, '<CompleteMultipartUploadResult><ETag>"etag"</ETag></CompleteMultipartUploadResult>');
  });
  const list = (call: UpstreamCall, query: URLSearchParams): void => {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const from = Number(query.get('continuation-token') ?? 0);
    const contents = keys.slice(from, from + 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
    xml(call, `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`);
  };
  const get = allowed((call, key, query) => {
    if (key === '') return list(call, query);
    const body = objects.get(key);
    if (body === undefined) return refused(call, 404, 'NoSuchKey');
    const about = {
      'content-type': 'binary/octet-stream',
      etag: '"etag"',
      'accept-ranges': 'bytes',
      ...headers.get(key),
    };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(call.request.header('range') ?? '') ?? [];
    if (from === undefined) return call.answer({ headers: about, body });
    const part = Buffer.from(body).subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    if (part.length === 0) return refused(call, 416, 'InvalidRange');
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${Buffer.byteLength(body)}`;
    call.answer({ status: 206, headers: { ...about, 'content-range': range }, body: part });
  });
  const remove = allowed((call, key, query) => {
    if (query.has('uploadId')) uploads.delete(query.get('uploadId') ?? '');
    else objects.delete(key);
    call.answer({ status: 204 });
  });
  return {
    ...{ objects, headers, uploads },
    routes: [
      ['PUT', path, put],
      ['POST', path, post],
      ['GET', path, get],
      ['HEAD', path, get],
      ['DELETE', path, remove],
    ],
  };
};
