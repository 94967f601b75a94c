import { createHash, createHmac } from 'node:crypto';

/** Access keys of AWS; the session token belongs to temporary ones. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The parts that are signed, and the account that they are signed for. */
export interface SignedParts {
  readonly method: string;
  /** Path and query as they are sent. */
  readonly path: string;
  /** The headers to sign, by name in lower case, `host` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string;
}

export interface SigningScope {
  readonly service: string;
  readonly region: string;
  /** `20150830T123600Z`. */
  readonly timestamp: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** In hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** `20150830T123600Z`, of milliseconds since the epoch. */
export const awsTimestamp = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** Encodes everything but unreserved characters, which `encodeURIComponent` does not. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path is encoded a second time, for all services but S3. */
const canonicalPath = (path: string): string => path.split('/').map(uriEncode).join('/') || '/';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((member) => member !== '')
    .map((member) => {
      const equals = member.indexOf('=');
      const [name, value] = equals < 0 ? [member, ''] : [member.slice(0, equals), member.slice(equals + 1)];
      return [uriEncode(decoded(name)), uriEncode(decoded(value))] as const;
    })
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/**
 * The value of `Authorization` by Signature Version 4:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const signV4 = (
  { method, path, headers, bodyHash }: SignedParts,
  { accessKeyId, secretAccessKey }: AwsCredentials,
  { service, region, timestamp }: SigningScope,
): string => {
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const names = Object.keys(headers).sort(compare);
  const signedHeaders = names.join(';');
  const canonicalRequest = [
    method,
    canonicalPath(pathname),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n');
  const day = timestamp.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const signature = hmac(key, [algorithm, timestamp, scope, sha256(canonicalRequest)].join('\n')).toString('hex');
  return `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
};
