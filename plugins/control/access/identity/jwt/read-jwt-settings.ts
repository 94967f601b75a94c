import { isTrusted } from '../../../../../schema/http/is-trusted.ts';
import {
  isJsonObject,
  isNonEmpty,
  type Json,
  type JsonObject,
  type NonEmptyArray,
} from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer, toPointer } from '../../../../../schema/json/pointer.ts';
import { suggestName } from '../../../../../schema/text/closest-name.ts';
import { type SettingsProblem, SettingsReader } from './settings-reader.ts';

/** The names of the claims that are read. A name that no claim has is a path through objects: `realm_access.roles`. */
export interface ClaimNames {
  /** The workspace, by id or slug; if absent, every token is for the workspace `default`. */
  readonly workspace?: string | undefined;
  readonly user: string;
  /** The scopes or roles that the identity provider grants. */
  readonly scopes?: string | undefined;
  /** The names of claims, by the key of the metadata that they become. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** How an organisation's tokens are verified and what they grant. */
export interface JwtSettings {
  readonly issuer: string;
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
  readonly jwksUrl: string;
  readonly algorithms: readonly string[];
  readonly claims: ClaimNames;
  /** The gateway's scopes, by the scopes of the identity provider. A scope that is not listed grants nothing. */
  readonly scopeMap: ReadonlyMap<string, readonly string[]>;
  /** The scopes of tokens that do not contain the claim for scopes. */
  readonly defaultScopes: readonly string[];
  /** By how many seconds the clocks may differ. */
  readonly clockToleranceS: number;
}

/** Returns all scopes that a token may get from these settings. A caller that saves the settings must have each of them. */
export const grantableScopes = ({ scopeMap, defaultScopes }: JwtSettings): ReadonlySet<string> =>
  new Set([...defaultScopes, ...[...scopeMap.values()].flat()]);

const claimHint = 'Write the name of a claim, such as "sub" or "realm_access.roles".';
const maxMetadata = 32;

/** The labels that the gateway itself sets on requests. */
const reserved: ReadonlyMap<string, string> = new Map([
  ['_user', 'Name the claim in "claims.user".'],
  ['_prompt', 'Remove it: the gateway sets it.'],
  ['_organisation', 'Remove it: the gateway sets it.'],
]);

const readMetadata = (
  reader: SettingsReader,
  value: Json | undefined,
  at: JsonPointer,
): ReadonlyMap<string, string> => {
  const entries = Object.entries(reader.object(value, at, 'Write { "<metadata key>": "<claim>" }.'));
  if (entries.length > maxMetadata)
    reader.report(at, `There are more than ${maxMetadata} keys.`, 'Leave out those that nothing uses.');
  return new Map(
    entries.map(([key, claim]) => {
      const here = childPointer(at, key);
      const why = reserved.get(key);
      if (why !== undefined) reader.report(here, `"${key}" cannot be taken from a claim here.`, why);
      if (key === '' || key.length > 128)
        reader.report(here, 'A key of metadata has 1 to 128 characters.', 'Use another key.');
      return [key, reader.text(claim, here, { hint: claimHint })];
    }),
  );
};

/** Reads the names of the claims that identify the user and the workspace. */
const readClaimNames = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): ClaimNames => {
  const claims = reader.object(value, at, 'Write { "user": "sub" }, or leave it out.');
  reader.only(claims, at, ['workspace', 'user', 'scopes', 'metadata']);
  const findName = (member: 'workspace' | 'user' | 'scopes'): string | undefined =>
    claims[member] === undefined
      ? undefined
      : reader.text(claims[member], childPointer(at, member), { hint: claimHint });
  return {
    workspace: findName('workspace'),
    scopes: findName('scopes'),
    user: findName('user') ?? 'sub',
    metadata: readMetadata(reader, claims.metadata, childPointer(at, 'metadata')),
  };
};

const hint = 'Write the "jwks_uri" of the identity provider, from its document /.well-known/openid-configuration.';

const isListed = ({ hostname, port, protocol }: URL, trustedHosts: readonly string[]): boolean =>
  isTrusted(trustedHosts, {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  });

/** Reads the URL of a JWKS, which must use https, or may use http if the operator trusts the host. */
const readJwksUrl = (
  reader: SettingsReader,
  { value, at, trustedHosts }: { value: Json | undefined; at: JsonPointer; trustedHosts: readonly string[] },
): string => {
  const text = reader.text(value, at, { hint, max: 2048 });
  if (text === '') return '';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    reader.report(at, 'It is not an http or https URL.', hint);
  else if (url.username !== '' || url.password !== '')
    reader.report(at, 'The URL has a user name or a password in it.', 'Remove them: the keys of a JWKS are public.');
  else if (url.protocol === 'http:' && !isListed(url, trustedHosts))
    reader.report(
      at,
      'The URL must begin with https://.',
      'Use https, or have the operator list the host as a trusted host.',
    );
  return text;
};

const maxMapped = 1000;
const example = 'Write a list of scopes, such as ["completions.write"].';

/** Reads a list of the gateway's own scopes. A colon may precede the verb: `logs:view`. */
const readScopes = (
  reader: SettingsReader,
  { value, at, known }: { value: Json | undefined; at: JsonPointer; known: ReadonlySet<string> },
): readonly string[] => {
  if (value === undefined) return [];
  return reader.list(value, at, example).map(([written, here]) => {
    const scope = written.replace(':', '.');
    if (!known.has(scope))
      reader.report(
        here,
        'There is no such scope.',
        suggestName(scope, known, 'Scopes are written "completions.write".'),
      );
    return scope;
  });
};

/** Reads the gateway's scopes, by the scopes of the identity provider. */
const readScopeMap = (
  reader: SettingsReader,
  { value, at, known }: { value: Json | undefined; at: JsonPointer; known: ReadonlySet<string> },
): ReadonlyMap<string, readonly string[]> => {
  const entries = Object.entries(reader.object(value, at, 'Write { "<their scope>": ["completions.write"] }.'));
  if (entries.length > maxMapped)
    reader.report(at, `It has more than ${maxMapped} entries.`, 'Map only what tokens for this gateway have.');
  return new Map(
    entries.map(([theirs, ours]) => [theirs, readScopes(reader, { value: ours, at: childPointer(at, theirs), known })]),
  );
};

export interface JwtSettingsRules {
  /** All existing scopes. */
  readonly scopes: ReadonlySet<string>;
  /** The hosts from which a JWKS may be fetched without TLS, as listed in the gateway file. */
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
/** Only algorithms with public keys, because a shared secret does not belong in a JWKS. */
const supportedAlgorithms = [...defaultAlgorithms, 'RS384', 'RS512', 'ES384', 'ES512', 'PS384', 'PS512', 'Ed25519'];
const defaultToleranceS = 5;
const maxToleranceS = 300;

const readAudiences = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): readonly string[] => {
  const hint = 'Write the "aud" of tokens for this gateway, or a list of them.';
  if (Array.isArray(value)) return reader.list(value, at, hint).map(([audience]) => audience);
  return [reader.text(value, at, { hint })];
};

const readAlgorithms = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): readonly string[] => {
  if (value === undefined) return defaultAlgorithms;
  const hint = `Use ${supportedAlgorithms.join(', ')}.`;
  return reader.list(value, at, hint).map(([algorithm, here]) => {
    if (!supportedAlgorithms.includes(algorithm))
      reader.report(here, `"${algorithm}" is not an algorithm for verifying tokens with a public key.`, hint);
    return algorithm;
  });
};

const readTolerance = (reader: SettingsReader, value: Json | undefined, at: JsonPointer): number => {
  if (value === undefined) return defaultToleranceS;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxToleranceS) return value;
  reader.report(at, `It must be a whole number from 0 to ${maxToleranceS}.`, 'Write seconds, or leave it out for 5.');
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
      'It has no effect, because no claim with the scopes is named.',
      'Add "claims": { "scopes": "scope" } with the name of the claim.',
    );
  return {
    issuer: reader.text(object.issuer, place('issuer'), {
      hint: 'Write the "iss" exactly as in the tokens.',
      max: 2048,
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

/** Parses the settings for an organisation's tokens from JSON, or returns all problems with them. */
export const readJwtSettings = (value: unknown, rules: JwtSettingsRules): ReadJwtSettings => {
  const reader = new SettingsReader();
  if (!isJsonObject(value)) {
    const hint = 'Write the "issuer", "audience" and "jwks_url" of the identity provider.';
    return { problems: [{ pointer: rootPointer, message: 'The settings for JWTs must be an object.', hint }] };
  }
  const settings = readMembers(reader, value, rules);
  return isNonEmpty(reader.problems) ? { problems: reader.problems } : { settings };
};
