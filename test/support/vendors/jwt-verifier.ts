import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A signed token whose signature is valid: https://www.rfc-editor.org/rfc/rfc7515. */
export interface VerifiedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const part = (text: string): Readonly<Record<string, unknown>> => JSON.parse(Buffer.from(text, 'base64url').toString());

/** Reads an RS256 token. Returns undefined if the key did not sign it. */
export const verifyJwt = (token: string, publicKey: KeyObject | string): VerifiedJwt | undefined => {
  const [header = '', claims = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || part(header).alg !== 'RS256') return undefined;
  const key = typeof publicKey === 'string' ? createPublicKey(publicKey) : publicKey;
  const isValid = verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
  return isValid ? { header: part(header), claims: part(claims) } : undefined;
};
