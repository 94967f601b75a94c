import type { errors } from 'jose';
import { errorText } from '../../../../schema/text/error-text.ts';

/** The explanations for time claims that are not satisfied, by claim. */
const ofClaims: { readonly [claim: string]: string } = {
  nbf: 'The token is not valid yet.',
  iat: 'The token was issued in the future: its "iat" is later than now.',
};

const isAlgorithm = (alg: unknown): alg is string => typeof alg === 'string' && /^[\w-]{1,20}$/.test(alg);

/** A refused token, and the rules for tokens. */
interface Refused {
  readonly alg: unknown;
  readonly algorithms: readonly string[];
  readonly maxTokenAge: string;
}

/** Returns why a token is not accepted, in a sentence. The library's messages are fragments for programmers. */
export const refusalText = (
  error: InstanceType<typeof errors.JOSEError>,
  { alg, algorithms, maxTokenAge }: Refused,
): string => {
  const claim = 'claim' in error ? String(error.claim) : '';
  const reason = 'reason' in error ? error.reason : undefined;
  switch (error.code) {
    case 'ERR_JWT_EXPIRED':
      return claim === 'iat' ? `The token is older than ${maxTokenAge}.` : 'The token has expired.';
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return `The token is signed with ${isAlgorithm(alg) ? alg : 'an unknown algorithm'}, but must be signed with one of: ${algorithms.join(', ')}.`;
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return 'The token is signed with a key that its issuer does not publish.';
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'Several keys of the issuer match the token. Its header must name one by a "kid" that no other key has.';
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'The signature of the token does not match the key that it names.';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      if (reason === 'missing') return `The token has no "${claim}".`;
      if (reason === 'check_failed' && claim in ofClaims) return ofClaims[claim] ?? '';
  }
  return `The token is not valid: ${errorText(error)}.`;
};
