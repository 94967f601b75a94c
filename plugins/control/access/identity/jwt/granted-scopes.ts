import type { Json } from '../../../../../schema/json/json.ts';
import type { Refused } from './refused.ts';
import type { JwtSettings } from './settings/jwt-settings.ts';

/** Scopes are words in one text (RFC 8693), or the items of a list. */
const findWords = (claim: Json): readonly string[] | undefined => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) && claim.every((each) => typeof each === 'string') ? claim : undefined;
};

/** The gateway's scopes for the scopes that a token claims; undefined: it says nothing of scopes. */
export const grantedScopes = (
  claim: Json | undefined,
  { scopeMap, defaultScopes }: Pick<JwtSettings, 'scopeMap' | 'defaultScopes'>,
): ReadonlySet<string> | Refused => {
  if (claim === undefined) return new Set(defaultScopes);
  const words = findWords(claim);
  if (words === undefined) return { refused: 'The claim with the scopes is neither a text nor a list of texts.' };
  return new Set(words.flatMap((word) => scopeMap.get(word) ?? []));
};
