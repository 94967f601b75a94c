import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { lookUp } from '../../../../../schema/json/look-up.ts';
import { findNumber } from '../../../../../schema/json/loose.ts';
import type { KeyScope, OrganisationId, Principal, TenantId, WorkspaceId } from '../../../../sdk/exchange/exchange.ts';
import type { ClaimNames, JwtSettings } from './read-jwt-settings.ts';

/** Thrown if a token is not accepted, with the reason in a sentence that contains nothing of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** Converts the scopes that a token claims to scopes of the gateway. The claim is a text of words (RFC 8693) or a list. */
const grantedScopes = (claim: Json | undefined, { scopeMap, defaultScopes }: JwtSettings): ReadonlySet<string> => {
  if (claim === undefined) return new Set(defaultScopes);
  const words = typeof claim === 'string' ? claim.split(' ') : claim;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw new TokenRefused('The claim with the scopes is neither a text nor a list of texts.');
  return new Set(words.flatMap((word) => scopeMap.get(word) ?? []));
};

/**
 * Returns the claim with a name, which may be a URL that contains dots. If there is none, follows the name as a path through
 * objects, such as `realm_access.roles`. Returns undefined if that does not exist or is null.
 */
const findClaim = (claims: JsonObject, name: string): Json | undefined => {
  const found =
    lookUp(claims, name) === undefined
      ? name
          .split('.')
          .reduce<Json | undefined>(
            (value, member) => (isJsonObject(value) ? lookUp(value, member) : undefined),
            claims,
          )
      : lookUp(claims, name);
  return found ?? undefined;
};

/** The workspaces of organisations. */
export interface Workspaces {
  /** Returns the id of a workspace of an organisation, by its id or slug; undefined if the organisation has none of that name. */
  find(organisation: string, idOrSlug: string): TenantId | undefined | Promise<TenantId | undefined>;
}

const maxCharacters = 128;

/**
 * Returns the text of a claim that is neither an object nor a list. Throws a `TokenRefused` that names the claim if it is a number
 * that may have been rounded when it was read, which would make two different users equal.
 */
const findText = (claim: Json | undefined, name: string): string | undefined => {
  if (typeof claim === 'number' && findNumber(claim) === undefined)
    throw new TokenRefused(
      `The claim for ${name} is a number beyond ${Number.MAX_SAFE_INTEGER}, which would be rounded.`,
    );
  if (typeof claim !== 'string' && typeof claim !== 'number' && typeof claim !== 'boolean') return undefined;
  const text = String(claim);
  return text === '' || text.length > maxCharacters ? undefined : text;
};

/** Reads the metadata of a token. Claims that it does not have are omitted. */
const readMetadata = (claims: JsonObject, { metadata }: ClaimNames): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...metadata].flatMap(([key, name]) => {
      const claim = findClaim(claims, name);
      const text = findText(claim, `the metadata "${key}"`);
      if (text === undefined && claim !== undefined)
        throw new TokenRefused(
          `The claim for the metadata "${key}" is not a text of 1 to ${maxCharacters} characters.`,
        );
      return text === undefined ? [] : [[key, text]];
    }),
  );

/** Creates the caller that a verified token names. Rejects with a `TokenRefused` if it names none. */
export const toPrincipal = async (
  claims: JsonObject,
  {
    organisation,
    settings,
    workspaces,
  }: { readonly organisation: string; readonly settings: JwtSettings; readonly workspaces: Workspaces },
): Promise<Principal> => {
  const names = settings.claims;
  const userId = findText(findClaim(claims, names.user), 'the user');
  if (userId === undefined)
    throw new TokenRefused(`The claim for the user is missing, or is not a text of 1 to ${maxCharacters} characters.`);
  const scopes = grantedScopes(names.scopes === undefined ? undefined : findClaim(claims, names.scopes), settings);
  const metadata = readMetadata(claims, names);
  const workspace = names.workspace === undefined ? 'default' : findClaim(claims, names.workspace);
  if (typeof workspace !== 'string')
    throw new TokenRefused('The claim for the workspace is missing, or is not a text.');
  const tenant = await workspaces.find(organisation, workspace);
  if (tenant === undefined)
    throw new TokenRefused('The organisation does not have the workspace that the token names.');
  return {
    tenant,
    organisation: organisation as OrganisationId,
    workspace: tenant as string as WorkspaceId,
    // A token can access only its own workspace.
    reach: 'workspace',
    // The settings grant only these.
    scopes: scopes as ReadonlySet<KeyScope>,
    defaults: { metadata: { ...metadata, _user: userId }, allowConfigOverride: true },
    userId,
  };
};
