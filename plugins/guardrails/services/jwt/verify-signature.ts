import type { JSONWebKeySet } from 'jose';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Timers } from '../../../sdk/http/in-process.ts';
import { jwtPart } from '../../../sdk/http/jwt-part.ts';
import { refusalText } from './refusal-text.ts';
import type { TokenReader } from './token-reader.ts';

export interface SignatureRules {
  /** Returns the keys for a token of a tenant's request. `knows` reports whether given keys include the token's key. */
  readonly keys: (knows: (keys: JSONWebKeySet) => boolean, tenant: TenantId) => Promise<JSONWebKeySet> | JSONWebKeySet;
  readonly algorithms: readonly string[];
  /** In seconds. */
  readonly clockTolerance: number;
  /** A duration, such as `1d` or `12h`. */
  readonly maxTokenAge: string;
  readonly timers: Timers;
}

/** The maximum length of a token. Those of real issuers are shorter than a header section. */
const maxCharacters = 16_384;

/**
 * Creates a reader of JWTs that are signed by a key of a JWKS (RFC 7515, 7517, 7519). The library is loaded with the first token.
 */
export const verifySignature =
  ({ keys, algorithms, clockTolerance, maxTokenAge, timers }: SignatureRules): TokenReader =>
  async (token, { tenant }) => {
    if (token.length > maxCharacters) return { refused: 'The token is too long.' };
    const { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
    let header: ReturnType<typeof decodeProtectedHeader>;
    try {
      header = decodeProtectedHeader(token);
    } catch {
      return { refused: 'The token is not a JWT.' };
    }
    // No key is needed to refuse a token whose algorithm is not listed.
    const set = algorithms.includes(header.alg ?? '')
      ? await keys((known) => known.keys.some((key) => key.kid === header.kid), tenant)
      : { keys: [] };
    try {
      await jwtVerify(token, createLocalJWKSet(set), {
        algorithms: [...algorithms],
        clockTolerance,
        maxTokenAge,
        currentDate: new Date(timers.wall()),
      });
      return { header: jwtPart(token, 'header'), claims: jwtPart(token, 'claims') };
    } catch (error) {
      if (error instanceof errors.JOSEError)
        return { refused: refusalText(error, { alg: header.alg, algorithms, maxTokenAge }) };
      // If a key is unusable, the engine throws an error of its own.
      return { refused: 'The token cannot be verified with the keys of its issuer.' };
    }
  };
