import { createHash, createHmac } from 'node:crypto';

/** A request as an AWS server receives it. */
export interface SignedRequest {
  readonly method: string;
  /** The path and query. */
  readonly target: string;
  /** Returns the first value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  readonly body: string | Uint8Array;
}

/** What the server knows: the secrets by access key id, and its own service, region and time. */
export interface AwsVerifier {
  readonly secrets: Readonly<Record<string, string>>;
  readonly service: string;
  readonly region: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const hash = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Percent-encodes each byte of a text that is not unreserved. */
const percentEncoded = (text: string, keepSlash: boolean): string => {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    const isKept = /[A-Za-z0-9_.~-]/.test(character) || (keepSlash && character === '/');
    encoded += isKept ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
};

/** Sorts by name, then by value. */
const sortedQuery = (query: string): string => {
  const pairs = [...new URLSearchParams(query.replaceAll('+', '%2B'))];
  const encoded = pairs.map((pair) => pair.map((text) => percentEncoded(text, false)));
  return encoded
    .map((pair) => pair.join(' '))
    .sort()
    .map((pair) => pair.replace(' ', '='))
    .join('&');
};

/**
 * Returns why an AWS server would reject the request, or undefined if its signature is valid. It follows the documentation of
 * the receiving side (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html) and shares no
 * code with the provider.
 */
export const awsRefusal = (
  request: SignedRequest,
  { secrets, service, region, now }: AwsVerifier,
): string | undefined => {
  const given = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    request.header('authorization') ?? '',
  );
  if (given === null) return 'MissingAuthenticationToken';
  const [, accessKey = '', scope = '', signed = '', signature] = given;
  const secret = secrets[accessKey];
  if (secret === undefined) return 'UnrecognizedClient';
  const time = request.header('x-amz-date') ?? '';
  const day = time.slice(0, 8);
  if (scope !== `${day}/${region}/${service}/aws4_request`) return 'wrong scope';
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(at - now) <= 5 * 60_000)) return 'RequestExpired';
  const names = signed.split(';');
  if (names.join() !== [...names].sort().join()) return 'headers out of order';
  if (!names.includes('host')) return 'host is not signed';
  if (request.header('x-amz-security-token') !== undefined && !names.includes('x-amz-security-token'))
    return 'session token is not signed';
  const bodyHash = hash(request.body);
  if ((request.header('x-amz-content-sha256') ?? bodyHash) !== bodyHash) return 'another body';
  const mark = request.target.indexOf('?');
  const path = mark < 0 ? request.target : request.target.slice(0, mark);
  const lines = names.map((name) => `${name}:${(request.header(name) ?? '').trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [
    request.method,
    percentEncoded(path, true),
    mark < 0 ? '' : sortedQuery(request.target.slice(mark + 1)),
    lines,
    signed,
    bodyHash,
  ].join('\n');
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of [day, region, service, 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`;
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return expected === signature ? undefined : 'SignatureDoesNotMatch';
};
