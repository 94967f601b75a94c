import { parseObject } from '../../../../../schema/json/parse-json.ts';

/** Whom a token says it is from and for. Anyone can write that: it serves to choose the settings to verify the token by. */
interface UnverifiedClaims {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The issuer and the audiences of a token; undefined if it names no issuer. */
export const unverifiedClaims = (token: string): UnverifiedClaims | undefined => {
  const [, payload = ''] = token.split('.', 2);
  const { iss, aud } = parseObject(Buffer.from(payload, 'base64url').toString()) ?? {};
  if (!isText(iss)) return undefined;
  return { issuer: iss, audiences: [aud].flat().filter(isText) };
};

/** The longest token, in characters. */
export const maxTokenCharacters = 8192;

/**
 * Whether a credential is a signed JWT rather than a service key: it begins with `eyJ`, which is `{"` in base64url, and has
 * three parts. Service keys begin with `gw-`. It says nothing of whether the token is valid.
 */
export const looksLikeJwt = (presented: string): boolean =>
  presented.startsWith('eyJ') && presented.split('.', 4).length === 3;
