import { createHash, type KeyObject, sign } from 'node:crypto';
import { headerValue, type RequestBody, type UpstreamRequest } from '../../sdk/http/http.ts';
import { withHeaders } from './with-headers.ts';

export interface OciSigner {
  /** `<tenancy>/<user>/<fingerprint>`. */
  readonly keyId: string;
  readonly key: KeyObject;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const hasBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const toBytes = (body: RequestBody): Uint8Array => {
  if (body.kind === 'stream') throw new Error('A body can be signed only as a whole.');
  return body.kind === 'bytes' ? body.bytes : Buffer.alloc(0);
};

type Line = readonly [name: string, value: string];

/** Returns the signed lines of a body: its length, which the connection sends, its type and its hash. */
const bodyLines = ({ headers, body }: UpstreamRequest): readonly Line[] => {
  const bytes = toBytes(body);
  return [
    ['content-length', String(bytes.length)],
    ['content-type', headerValue(headers, 'content-type') ?? 'application/json'],
    ['x-content-sha256', createHash('sha256').update(bytes).digest('base64')],
  ];
};

/**
 * Returns the request, signed with Oracle Cloud's version of HTTP signatures:
 * https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm
 */
export const signOci = (request: UpstreamRequest, { keyId, key, now }: OciSigner): UpstreamRequest => {
  const { method, origin, path } = request;
  const ofBody = hasBody.has(method.toUpperCase()) ? bodyLines(request) : [];
  const date: Line = ['date', new Date(now).toUTCString()];
  const lines: readonly Line[] = [
    date,
    ['(request-target)', `${method.toLowerCase()} ${path}`],
    ['host', new URL(origin).host],
    ...ofBody,
  ];
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const names = lines.map(([name]) => name).join(' ');
  const signature = sign('sha256', Buffer.from(text), key).toString('base64');
  const sent = [date, ...ofBody.filter(([name]) => name !== 'content-length')];
  return withHeaders(request, [
    ...sent.flat(),
    'authorization',
    `Signature version="1",keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  ]);
};
