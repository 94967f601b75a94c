import {
  isJsonObject,
  isNonEmpty,
  type Json,
  type JsonObject,
  type NonEmptyArray,
} from '../../../../../../schema/json/json.ts';
import { type JsonPointer, rootPointer, toPointer } from '../../../../../../schema/json/pointer.ts';
import type { JwtSettings } from './jwt-settings.ts';
import { readClaimNames } from './read-claim-names.ts';
import { readJwksUrl } from './read-jwks-url.ts';
import { readScopeMap, readScopes } from './read-scopes.ts';
import { type SettingsProblem, SettingsReader } from './settings-reader.ts';

export interface JwtSettingsRules {
  /** All scopes that there are. */
  readonly scopes: ReadonlySet<string>;
  /** The hosts whose JWKS may be fetched without TLS, as the gateway file lists them. */
  readonly trustedHosts?: readonly string[];
}

export type ReadJwtSettings =
  | { readonly settings: JwtSettings }
  | { readonly problems: NonEmptyArray<SettingsProblem> };

const members = [
  'issuer',
  'audience',
  'jwks_url',
  'algorithms',
  'claims',
  'scope_map',
  'default_scopes',
  'clock_tolerance_s',
];

const defaultAlgorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'];
/** Only those of public keys: a shared secret has no place in a JWKS. */
const supportedAlgorithms = [...defaultAlgorithms, 'RS384', 'RS512', 'ES384', 'ES512', 'PS384', 'PS512', 'Ed25519'];
const defaultToleranceS = 5;
const maxToleranceS = 300;

const readAudiences = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): readonly string[] => {
  const hint = 'Give the "aud" that tokens for this gateway have, or a list of them.';
  if (Array.isArray(value)) return reader.list(value, at, hint).map(([audience]) => audience);
  return [reader.text(value, at, { hint })];
};

const readAlgorithms = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): readonly string[] => {
  if (value === undefined) return defaultAlgorithms;
  const hint = `Use ${supportedAlgorithms.join(', ')}.`;
  return reader.list(value, at, hint).map(([algorithm, here]) => {
    if (!supportedAlgorithms.includes(algorithm))
      reader.report(here, `"${algorithm}" is no algorithm by which a public key can verify a token.`, hint);
    return algorithm;
  });
};

const readTolerance = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): number => {
  if (value === undefined) return defaultToleranceS;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxToleranceS) return value;
  reader.report(at, `It must be a whole number from 0 to ${maxToleranceS}.`, 'Give seconds, or leave it out for 5.');
  return defaultToleranceS;
};

const readMembers = (reader: SettingsReader, object: JsonObject, rules: JwtSettingsRules): JwtSettings => {
  const { scopes: known, trustedHosts = [] } = rules;
  const place = (member: string): JsonPointer => toPointer([member]);
  reader.only(object, rootPointer, members);
  const claims = readClaimNames(reader, object.claims, place('claims'));
  if (object.scope_map !== undefined && claims.scopes === undefined)
    reader.report(
      place('scope_map'),
      'It has no effect, because no claim is named that has the scopes.',
      'Add "claims": { "scopes": "scope" } with the name of the claim.',
    );
  return {
    issuer: reader.text(object.issuer, place('issuer'), {
      hint: 'Give the "iss" that the tokens have, to the letter.',
      most: 2048,
    }),
    audiences: readAudiences(reader, object.audience, place('audience')),
    jwksUrl: readJwksUrl(reader, { value: object.jwks_url, at: place('jwks_url'), trustedHosts }),
    algorithms: readAlgorithms(reader, object.algorithms, place('algorithms')),
    claims,
    scopeMap: readScopeMap(reader, { value: object.scope_map, at: place('scope_map'), known }),
    defaultScopes: readScopes(reader, { value: object.default_scopes, at: place('default_scopes'), known }),
    clockToleranceS: readTolerance(reader, object.clock_tolerance_s, place('clock_tolerance_s')),
  };
};

/** The settings for an organisation's tokens, from JSON; or all that is wrong with them. */
export const readJwtSettings = (value: unknown, rules: JwtSettingsRules): ReadJwtSettings => {
  const reader = new SettingsReader();
  if (!isJsonObject(value)) {
    const hint = 'Give "issuer", "audience" and "jwks_url" of the identity provider.';
    return { problems: [{ pointer: rootPointer, message: 'The settings for JWTs must be an object.', hint }] };
  }
  const settings = readMembers(reader, value, rules);
  return isNonEmpty(reader.problems) ? { problems: reader.problems } : { settings };
};
