/** Which member of a token's claims says what. A name that no claim has is a path through objects: `realm_access.roles`. */
export interface ClaimNames {
  /** The workspace, by id or slug; absent: every token is for the workspace `default`. */
  readonly workspace?: string | undefined;
  readonly user: string;
  /** The scopes or roles that the identity provider grants. */
  readonly scopes?: string | undefined;
  /** Claims by the key of the metadata that they become. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** How an organisation's tokens are verified and what they grant. */
export interface JwtSettings {
  readonly issuer: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly jwksUrl: string;
  readonly algorithms: readonly string[];
  readonly claims: ClaimNames;
  /** The gateway's scopes by those of the identity provider. A scope that is not here grants nothing. */
  readonly scopeMap: ReadonlyMap<string, readonly string[]>;
  /** The scopes of tokens that say nothing of scopes. */
  readonly defaultScopes: readonly string[];
  /** By how many seconds the clocks may differ. */
  readonly clockToleranceS: number;
}

/** All scopes that a token may have by these settings: whoever saves them must have each. */
export const grantableScopes = ({ scopeMap, defaultScopes }: JwtSettings): ReadonlySet<string> =>
  new Set([...defaultScopes, ...[...scopeMap.values()].flat()]);
