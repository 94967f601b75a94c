import type { RequestBody, UpstreamRequest } from '../../sdk/http/http.ts';
import { type AwsCredentials, awsTimestamp, sha256, signV4 } from './sign-v4.ts';
import { withHeaders } from './with-headers.ts';

export interface SigningPlace {
  readonly service: string;
  readonly region: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const toBytes = (body: RequestBody): Uint8Array => {
  if (body.kind === 'stream' || body.kind === 'form') throw new Error('A body can be signed only as a whole.');
  return body.kind === 'bytes' ? body.bytes : Buffer.alloc(0);
};

/** Whether a header is one that services require to be signed if it is present. */
const isSigned = (name: string): boolean =>
  name === 'content-type' || name.startsWith('x-amz-') || name.startsWith('x-amzn-sagemaker-');

const signHeaders = ({ headers }: UpstreamRequest): Record<string, string> => {
  const signed: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    if (isSigned(name)) signed[name] ??= headers[at + 1] ?? '';
  }
  return signed;
};

/**
 * Returns the request with its signature. The host, the content type and the headers of AWS, which contain the time, the session
 * token and the hash of the body, are signed; other headers may change on the way.
 */
export const signRequest = (
  request: UpstreamRequest,
  credentials: AwsCredentials,
  { service, region, now }: SigningPlace,
): UpstreamRequest => {
  const timestamp = awsTimestamp(now);
  const bodyHash = sha256(toBytes(request.body));
  const { sessionToken } = credentials;
  const own = {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': timestamp,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const headers = { ...signHeaders(request), ...own, host: new URL(request.origin).host };
  const { method, path } = request;
  const authorization = signV4({ method, path, headers, bodyHash }, credentials, { service, region, timestamp });
  return withHeaders(request, [...Object.entries(own).flat(), 'authorization', authorization]);
};
