import { isDeepStrictEqual } from 'node:util';
import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import { jwtPart } from '../../../../sdk/http/jwt-part.ts';
import { KeySource, type KeySourceOptions } from './key-source.ts';
import { maxTokenCharacters } from './looks-like-jwt.ts';
import type { JwtSettings } from './settings/read-jwt-settings.ts';
import { isRefused, type Refused, toPrincipal, type Workspaces } from './to-principal.ts';

/** An organisation that accepts tokens. */
export interface JwtOrganisation {
  readonly id: string;
  readonly settings: JwtSettings;
}

const maxKept = 1000;

/** The verifiers of organisations: one is made again, without its keys, when the settings of its organisation are others. */
export const createVerifiers = (
  options: Pick<JwtVerifierOptions, 'workspaces' | 'http' | 'clock'>,
): ((organisation: JwtOrganisation) => JwtVerifier) => {
  const made = new LRUCache<string, JwtOrganisation & { readonly verify: JwtVerifier }>({ max: maxKept });
  return ({ id, settings }) => {
    const kept = made.get(id);
    if (kept !== undefined && isDeepStrictEqual(kept.settings, settings)) return kept.verify;
    const verify = createJwtVerifier({ ...options, organisation: id, settings });
    made.set(id, { id, settings, verify });
    return verify;
  };
};

/** Finds the key that a token's header names, and asks for newer keys where there is none of that id and type. */
const keyFinder =
  (source: KeySource): JWTVerifyGetKey =>
  async (header, input) => {
    const { errors } = await import('jose');
    const keys = await source.current();
    try {
      return await keys(header, input);
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await source.newer(keys) : undefined;
      if (newer === undefined) throw error;
      return await newer(header, input);
    }
  };

const toOptions = ({ algorithms, issuer, audiences, clockToleranceS }: JwtSettings, now: number): JWTVerifyOptions => ({
  algorithms: [...algorithms],
  issuer,
  audience: [...audiences],
  clockTolerance: clockToleranceS,
  requiredClaims: ['exp'],
  currentDate: new Date(now),
});

export interface JwtVerifierOptions extends Pick<KeySourceOptions, 'http' | 'clock'> {
  /** The id of the organisation. */
  readonly organisation: string;
  readonly settings: JwtSettings;
  readonly workspaces: Workspaces;
}

/** Whom a token names, and until when it is in force. */
export interface IdentifiedToken {
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies a token, or says why it is not accepted. Never rejects because of what a token or an answer contains. */
export type JwtVerifier = (token: string) => Promise<IdentifiedToken | Refused>;

/**
 * Creates the verifier of an organisation's tokens (RFC 7515, 7519), which keeps the keys of the identity provider. The library
 * is loaded with the first token, and keys are asked for only when the token's algorithm is one of those in the settings.
 */
export const createJwtVerifier = (options: JwtVerifierOptions): JwtVerifier => {
  const { settings, http, clock } = options;
  const findKey = keyFinder(new KeySource({ url: settings.jwksUrl, http, clock }));
  const toleranceMs = settings.clockToleranceS * 1000;

  /** Reads the claims of a token that is genuine and in force, and until when it is, tolerance included. */
  const verify = async (
    token: string,
  ): Promise<{ readonly claims: JsonObject; readonly expiresAt: number } | Refused> => {
    if (token.length > maxTokenCharacters) return { refused: 'The token is too long.' };
    const { decodeProtectedHeader, jwtVerify } = await import('jose');
    const now = clock.wall();
    try {
      // No extension is understood: not even "b64", which the library knows.
      if (Object.hasOwn(decodeProtectedHeader(token), 'crit'))
        return { refused: 'The header of the token has "crit".' };
      const { payload } = await jwtVerify(token, findKey, toOptions(settings, now));
      const { exp = 0, iat = 0 } = payload;
      if (iat * 1000 > now + toleranceMs) return { refused: 'The token says that it was issued in the future.' };
      return { claims: jwtPart(token, 'claims'), expiresAt: exp * 1000 + toleranceMs };
    } catch (error) {
      return { refused: `The token cannot be verified: ${errorText(error)}` };
    }
  };

  return async (token) => {
    const verified = await verify(token);
    if (isRefused(verified)) return verified;
    const principal = await toPrincipal(verified.claims, options);
    return isRefused(principal) ? principal : { principal, expiresAt: verified.expiresAt };
  };
};
