import { randomUUID } from 'node:crypto';
import { awsRefusal } from '../../aws-verifier.ts';
import type { UpstreamCall } from '../../upstream-server.ts';
import type { VendorRoute } from '../vendor-routes.ts';

export interface S3Keys {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

const xml = (call: UpstreamCall, body: string, status = 200): void =>
  call.answer({ status, headers: { 'content-type': 'application/xml' }, body: `<?xml version="1.0"?>\n${body}` });

const refused = (call: UpstreamCall, status: number, code: string): void =>
  xml(call, `<Error><Code>${code}</Code><Message>It is refused: ${code}.</Message></Error>`, status);

/** Why AWS would refuse a signature; undefined if it is right. */
export const signatureFault = ({ request }: UpstreamCall, keys: S3Keys, service: string): string | undefined =>
  awsRefusal(
    { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
    { secrets: { [keys.id]: keys.secret }, service, region: keys.region, now: Date.now() },
  );

/**
 * The objects of one bucket, which the path names: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html and the
 * requests for uploads in parts. A signature that is wrong is a 403.
 */
export const s3Objects = (
  bucket: string,
  keys: S3Keys,
): { readonly objects: Map<string, string>; readonly routes: readonly VendorRoute[] } => {
  const objects = new Map<string, string>();
  const uploads = new Map<string, string[]>();
  const path = new RegExp(`^/${bucket}/(.+)$`);
  const signed =
    (run: (call: UpstreamCall, key: string, query: URLSearchParams) => void) =>
    (call: UpstreamCall, [key = '']: readonly string[]): void => {
      if (signatureFault(call, keys, 's3') !== undefined) refused(call, 403, 'SignatureDoesNotMatch');
      else run(call, key, new URL(call.request.path, 'http://h').searchParams);
    };
  const put = signed((call, key, query) => {
    const text = call.request.body.toString();
    const parts = uploads.get(query.get('uploadId') ?? '');
    if (parts === undefined) objects.set(key, text);
    else parts[Number(query.get('partNumber')) - 1] = text;
    call.answer({ headers: { etag: '"etag"' }, body: '' });
  });
  const post = signed((call, key, query) => {
    if (query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, []);
      return xml(call, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    objects.set(key, (uploads.get(query.get('uploadId') ?? '') ?? []).join(''));
    return xml(call, '<CompleteMultipartUploadResult><ETag>"etag"</ETag></CompleteMultipartUploadResult>');
  });
  const get = signed((call, key) => {
    const body = objects.get(key);
    if (body === undefined) refused(call, 404, 'NoSuchKey');
    else call.answer({ headers: { 'content-type': 'binary/octet-stream' }, body });
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
