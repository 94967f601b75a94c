import type { Principal } from '../exchange/exchange.ts';

/**
 * Returns the holder of a service key or another bearer token, or undefined if the token is unknown or no longer valid. Returns
 * synchronously if the answer is known, and rejects if it cannot be determined at the moment.
 */
export type Identify = (presented: string) => Principal | undefined | Promise<Principal | undefined>;

/** A source of callers' identities. */
export interface Identities {
  readonly identify: Identify;
  /**
   * Returns the same caller in a workspace of its organisation; `name` is the id or slug of the workspace. Returns undefined if
   * the caller has no access to such a workspace. Called only for principals whose reach is an organisation.
   */
  findWorkspace?(principal: Principal, name: string): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Returns the holder of the key with which a console session was started, or undefined if the session has ended or the key is
   * no longer valid.
   */
  identifySession?(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Calls `run` with the ids of revoked keys. Returns a function that removes the callback. */
  onRevoked?(run: (keyIds: readonly string[]) => void): () => void;
  /**
   * Called if a request was refused because `identify` did not find the holder of its key or token, so that the operator can learn
   * why. It is not called for other texts, such as a provider's credential, which are looked up so that no key is passed on.
   */
  noteRefused?(presented: string): void;
  /** Returns the id contained in a key, whether or not the key exists, or undefined for any other text. */
  findKeyId?(presented: string): string | undefined;
  /**
   * Returns when its answers were last known to be up to date, in milliseconds since the epoch; 0 if never. If absent, they
   * always are.
   */
  confirmedAt?(): number;
}
