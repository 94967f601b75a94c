import { createHash, type KeyObject, verify } from 'node:crypto';

/** A request as an Oracle Cloud server receives it. */
export interface OciRequest {
  readonly method: string;
  /** The path and query. */
  readonly target: string;
  /** Returns the first value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  readonly body: string | Uint8Array;
}

/** What the server knows: the public keys by key id, and the time in milliseconds since the epoch. */
export interface OciVerifier {
  readonly keys: Readonly<Record<string, KeyObject>>;
  readonly now: number;
}

const required = ['date', '(request-target)', 'host'];
const requiredOfBody = ['content-length', 'content-type', 'x-content-sha256'];

/**
 * Returns why Oracle Cloud would reject the request, or undefined if its signature is valid. It follows the documentation
 * (https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm) and shares no code with the provider.
 */
export const ociRefusal = (request: OciRequest, { keys, now }: OciVerifier): string | undefined => {
  const { method, target, body } = request;
  const header = request.header('authorization') ?? '';
  const member = (name: string): string => new RegExp(`[ ,]${name}="([^"]*)"`).exec(header)?.[1] ?? '';
  if (!header.startsWith('Signature ') || member('version') !== '1') return 'no signature';
  if (member('algorithm') !== 'rsa-sha256') return 'another algorithm';
  const key = keys[member('keyId')];
  if (key === undefined) return 'unknown key';
  if (!(Math.abs(Date.parse(request.header('date') ?? '') - now) <= 5 * 60_000)) return 'another time';
  const names = member('headers').split(' ');
  const missing = [...required, ...(/^P/.test(method) ? requiredOfBody : [])].filter((name) => !names.includes(name));
  if (missing.length > 0) return `not signed: ${missing.join()}`;
  if (/^P/.test(method)) {
    if (request.header('x-content-sha256') !== createHash('sha256').update(body).digest('base64'))
      return 'another body';
    if (request.header('content-length') !== String(Buffer.from(body).length)) return 'another length';
  }
  const text = names
    .map(
      (name) => `${name}: ${name === '(request-target)' ? `${method.toLowerCase()} ${target}` : request.header(name)}`,
    )
    .join('\n');
  return verify('sha256', Buffer.from(text), key, Buffer.from(member('signature'), 'base64')) ? undefined : 'forged';
};
