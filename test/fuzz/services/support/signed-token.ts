import { generateKeyPairSync, sign } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const base64url = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signedPart = `${base64url({ alg: 'RS256', kid: 'key-1' })}.${base64url({ sub: 'ada', iat: 1_700_000_000 })}`;

/** A token signed by an issuer. */
export const signedToken: string = `${signedPart}.${sign('sha256', Buffer.from(signedPart), privateKey).toString('base64url')}`;

/** The keys of that issuer. */
export const tokenKeys: JsonObject = {
  keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'RSA', kid: 'key-1', alg: 'RS256', use: 'sig' }],
};
