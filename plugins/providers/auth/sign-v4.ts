import { createHash, createHmac } from 'node:crypto';
import { percentDecoded } from '../../../schema/text/percent-decoded.ts';

/** Access keys of AWS. Only temporary ones have a session token. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The parts of a request that are signed. */
export interface SignedParts {
  readonly method: string;
  /** Path and query as they are sent. */
  readonly path: string;
  /** The headers to sign, by name in lower case, including `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The SHA-256 of the body, in hexadecimal. */
  readonly bodyHash: string;
}

/** The parts of a request that is signed in its query. */
export interface PresignedParts {
  readonly method: string;
  readonly host: string;
  /** The path, including its query. */
  readonly path: string;
  /** How many seconds the signature is valid. */
  readonly seconds: number;
}

export interface SigningScope {
  readonly service: string;
  readonly region: string;
  /** `20150830T123600Z`. */
  readonly timestamp: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** Returns the hash in hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Formats milliseconds since the epoch as `20150830T123600Z`. */
export const awsTimestamp = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');

/** Encodes everything except unreserved characters. `encodeURIComponent` leaves out some others. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** Encodes the path a second time, as for all services except S3. */
const canonicalPath = (path: string): string => path.split('/').map(uriEncode).join('/') || '/';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((member) => member !== '')
    .map((member) => {
      const equals = member.indexOf('=');
      const [name, value] = equals < 0 ? [member, ''] : [member.slice(0, equals), member.slice(equals + 1)];
      return [uriEncode(percentDecoded(name) ?? name), uriEncode(percentDecoded(value) ?? value)] as const;
    })
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

const scopeText = ({ service, region, timestamp }: SigningScope): string =>
  `${timestamp.slice(0, 8)}/${region}/${service}/aws4_request`;

const toSignature = (
  { method, path, headers, bodyHash }: SignedParts,
  { secretAccessKey }: AwsCredentials,
  signingScope: SigningScope,
): string => {
  const { service, region, timestamp } = signingScope;
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const names = Object.keys(headers).sort(compare);
  const canonicalRequest = [
    method,
    canonicalPath(pathname),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, timestamp.slice(0, 8)));
  const text = [algorithm, timestamp, scopeText(signingScope), sha256(canonicalRequest)].join('\n');
  return hmac(key, text).toString('hex');
};

/**
 * Returns the value of `Authorization` according to Signature Version 4:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const signV4 = (parts: SignedParts, credentials: AwsCredentials, scope: SigningScope): string => {
  const signedHeaders = Object.keys(parts.headers).sort(compare).join(';');
  const signature = toSignature(parts, credentials, scope);
  const credential = `${credentials.accessKeyId}/${scopeText(scope)}`;
  return `${algorithm} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
};

/**
 * Returns a path with the signature in its query, which is valid for some seconds. Only the host is signed as well, but no body:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-signing-elements.html
 */
export const presignV4 = (
  { method, host, path, seconds }: PresignedParts,
  credentials: AwsCredentials,
  scope: SigningScope,
): string => {
  const { accessKeyId, sessionToken } = credentials;
  const members: readonly (readonly [string, string])[] = [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${accessKeyId}/${scopeText(scope)}`],
    ['X-Amz-Date', scope.timestamp],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
    ...(sessionToken === undefined ? [] : [['X-Amz-Security-Token', sessionToken] as const]),
  ];
  const query = members.map(([name, value]) => `${name}=${uriEncode(value)}`).join('&');
  const unsigned = `${path}${path.includes('?') ? '&' : '?'}${query}`;
  const parts = { method, path: unsigned, headers: { host }, bodyHash: sha256('') };
  return `${unsigned}&X-Amz-Signature=${toSignature(parts, credentials, scope)}`;
};
