import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { lookUp } from '../../../../../schema/json/look-up.ts';
import type { KeyScope, OrganisationId, Principal, TenantId, WorkspaceId } from '../../../../sdk/exchange/exchange.ts';
import type { ClaimNames, JwtSettings } from './settings/read-jwt-settings.ts';

/** Scopes are words in one text (RFC 8693), or the items of a list. */
const findWords = (claim: Json): readonly string[] | undefined => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) && claim.every((each) => typeof each === 'string') ? claim : undefined;
};

/** The gateway's scopes for the scopes that a token claims; undefined: it says nothing of scopes. */
const grantedScopes = (
  claim: Json | undefined,
  { scopeMap, defaultScopes }: Pick<JwtSettings, 'scopeMap' | 'defaultScopes'>,
): ReadonlySet<string> | Refused => {
  if (claim === undefined) return new Set(defaultScopes);
  const words = findWords(claim);
  if (words === undefined) return { refused: 'The claim with the scopes is neither a text nor a list of texts.' };
  return new Set(words.flatMap((word) => scopeMap.get(word) ?? []));
};

/** Why a token is not accepted, in a sentence that has nothing of the token in it. */
export interface Refused {
  readonly refused: string;
}

export const isRefused = (outcome: object): outcome is Refused => 'refused' in outcome;

/**
 * The claim of a name, which may be a URL with dots in it; else what the name leads to as a path through objects, such as
 * `realm_access.roles`. Undefined where there is none, or it is null.
 */
const findClaim = (claims: JsonObject, name: string): Json | undefined => {
  const own = lookUp(claims, name);
  if (own !== undefined) return own ?? undefined;
  const found = name
    .split('.')
    .reduce<Json | undefined>((value, member) => (isJsonObject(value) ? lookUp(value, member) : undefined), claims);
  return found ?? undefined;
};

/** The workspaces of organisations. */
export interface Workspaces {
  /** The id of a workspace of an organisation, by its id or slug; undefined if that organisation has none of that name. */
  find(organisation: string, idOrSlug: string): TenantId | undefined | Promise<TenantId | undefined>;
}

const maxCharacters = 128;

/** The text of a claim that is no object and no list. */
const findText = (claim: Json | undefined): string | undefined => {
  if (typeof claim !== 'string' && typeof claim !== 'number' && typeof claim !== 'boolean') return undefined;
  const text = String(claim);
  return text === '' || text.length > maxCharacters ? undefined : text;
};

/** Metadata that a token has; what it does not have is left out. */
const readMetadata = (
  claims: JsonObject,
  { metadata }: Pick<ClaimNames, 'metadata'>,
): { readonly metadata: Readonly<Record<string, string>> } | Refused => {
  const found: [string, string][] = [];
  for (const [key, name] of metadata) {
    const claim = findClaim(claims, name);
    const text = findText(claim);
    if (text !== undefined) found.push([key, text]);
    else if (claim !== undefined)
      return { refused: `The claim for the metadata "${key}" is no text of 1 to ${maxCharacters} characters.` };
  }
  return { metadata: Object.fromEntries(found) };
};

/** The caller whom a verified token names; or why it names none. */
export const toPrincipal = async (
  claims: JsonObject,
  {
    organisation,
    settings,
    workspaces,
  }: {
    readonly organisation: string;
    readonly settings: JwtSettings;
    readonly workspaces: Workspaces;
  },
): Promise<Principal | Refused> => {
  const names = settings.claims;
  const userId = findText(findClaim(claims, names.user));
  if (userId === undefined)
    return { refused: `The claim for the user is missing, or is no text of 1 to ${maxCharacters} characters.` };
  const scopes = grantedScopes(names.scopes === undefined ? undefined : findClaim(claims, names.scopes), settings);
  if (isRefused(scopes)) return scopes;
  const taken = readMetadata(claims, names);
  if (isRefused(taken)) return taken;
  const workspace = names.workspace === undefined ? 'default' : findClaim(claims, names.workspace);
  if (typeof workspace !== 'string') return { refused: 'The claim for the workspace is missing, or is no text.' };
  const tenant = await workspaces.find(organisation, workspace);
  if (tenant === undefined) return { refused: 'The organisation has no such workspace as the token names.' };
  return {
    tenant,
    organisation: organisation as OrganisationId,
    workspace: tenant as string as WorkspaceId,
    // A token reaches no workspace but its own.
    reach: 'workspace',
    // Settings grant no others.
    scopes: scopes as ReadonlySet<KeyScope>,
    defaults: { metadata: { ...taken.metadata, _user: userId }, allowConfigOverride: true },
    userId,
  };
};
