import type { TenantId } from '../../../../sdk/exchange/exchange.ts';

/** Who calls with a verified token: what a service key's principal has, without a key. */
export interface TokenPrincipal {
  /** The workspace in which it acts. */
  readonly tenant: TenantId;
  readonly organisation: string;
  /** The id of that workspace. */
  readonly workspace: string;
  /** A token reaches no workspace but its own. */
  readonly reach: 'workspace';
  readonly keyId?: never;
  /** What it may do, as `resource.verb`. */
  readonly scopes: ReadonlySet<string>;
  readonly defaults: TokenDefaults;
  readonly userId: string;
}

/** What a token adds to each request that is made with it. */
interface TokenDefaults {
  /** `_user`, and what the organisation takes from claims; it prevails over the caller's own. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Requests may name a config. */
  readonly allowConfigOverride: true;
}
