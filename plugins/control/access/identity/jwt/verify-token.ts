import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Timers } from '../../../../sdk/http/in-process.ts';
import { jwtPart } from '../../../../sdk/http/jwt-part.ts';
import type { KeySource } from './key-source.ts';
import { maxTokenCharacters } from './looks-like-jwt.ts';
import type { Refused } from './refused.ts';
import type { JwtSettings } from './settings/jwt-settings.ts';

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

export interface VerifyingOptions {
  readonly settings: JwtSettings;
  readonly keys: KeySource;
  readonly clock: Pick<Timers, 'wall'>;
}

/** The claims of a token that is genuine and in force. */
interface VerifiedToken {
  readonly claims: JsonObject;
  /** Milliseconds since the epoch, tolerance included. */
  readonly expiresAt: number;
}

const toOptions = ({ algorithms, issuer, audiences, clockToleranceS }: JwtSettings, now: number): JWTVerifyOptions => ({
  algorithms: [...algorithms],
  issuer,
  audience: [...audiences],
  clockTolerance: clockToleranceS,
  requiredClaims: ['exp'],
  currentDate: new Date(now),
});

/**
 * Verifies tokens with the keys of one identity provider (RFC 7515, 7519). The library is loaded with the first token, and
 * keys are asked for only when the token's algorithm is one of those in the settings.
 */
export const tokenVerifier = ({
  settings,
  keys,
  clock,
}: VerifyingOptions): ((token: string) => Promise<VerifiedToken | Refused>) => {
  const findKey = keyFinder(keys);
  const toleranceMs = settings.clockToleranceS * 1000;
  return async (token) => {
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
};
