import { randomUUID } from 'node:crypto';
import type { UpstreamCall } from '../../upstream-server.ts';
import type { VendorRoute } from '../vendor-routes.ts';

const xml = (call: UpstreamCall, body: string, status = 200): void =>
  call.answer({ status, headers: { 'content-type': 'application/xml' }, body: `<?xml version="1.0"?>\n${body}` });

const refused = (call: UpstreamCall, status: number, code: string): void =>
  xml(call, `<Error><Code>${code}</Code><Message>It is refused: ${code}.</Message></Error>`, status);

/**
 * The objects of one bucket, which the path names, in pages of two: https://docs.aws.amazon.com/AmazonS3/latest/API/ and
 * https://cloud.google.com/storage/docs/xml-api/overview. A request that may not be made is a 403.
 */
export const bucketObjects = (
  bucket: string,
  isAllowed: (call: UpstreamCall) => boolean,
): { readonly objects: Map<string, string>; readonly routes: readonly VendorRoute[] } => {
  const objects = new Map<string, string>();
  const uploads = new Map<string, string[]>();
  const path = new RegExp(`^/${bucket}/(.*)$`);
  const allowed =
    (run: (call: UpstreamCall, key: string, query: URLSearchParams) => void) =>
    (call: UpstreamCall, [key = '']: readonly string[]): void => {
      if (!isAllowed(call)) refused(call, 403, 'AccessDenied');
      else run(call, key, new URL(call.request.path, 'http://h').searchParams);
    };
  const put = allowed((call, key, query) => {
    const text = call.request.body.toString();
    const parts = uploads.get(query.get('uploadId') ?? '');
    if (parts === undefined) objects.set(key, text);
    else parts[Number(query.get('partNumber')) - 1] = text;
    call.answer({ headers: { etag: '"etag"' }, body: '' });
  });
  const post = allowed((call, key, query) => {
    if (query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, []);
      return xml(call, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    objects.set(key, (uploads.get(query.get('uploadId') ?? '') ?? []).join(''));
    return xml(call, '<CompleteMultipartUploadResult><ETag>"etag"</ETag></CompleteMultipartUploadResult>');
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
    return call.answer({ headers: { 'content-type': 'binary/octet-stream' }, body });
  });
  return {
    objects,
    routes: [
      ['PUT', path, put],
      ['POST', path, post],
      ['GET', path, get],
    ],
  };
};
