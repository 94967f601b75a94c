import type { Principal } from '../exchange/exchange.ts';

/**
 * Finds the holder of a service key or another bearer token; undefined if it is nobody's, or no longer valid. A source
 * that knows the answer gives it synchronously. If it cannot know at the moment, it rejects.
 */
export type Identify = (presented: string) => Principal | undefined | Promise<Principal | undefined>;

/** A source of callers' identities. */
export interface Identities {
  readonly identify: Identify;
  /**
   * The same caller in a workspace of its organisation, which `name` names by id or slug. Undefined if it does not reach
   * such a workspace. Asked only for principals whose reach is an organisation.
   */
  findWorkspace?(principal: Principal, name: string): Principal | undefined | Promise<Principal | undefined>;
  /** Finds the holder of the key that a session of the console was begun with; undefined if it has ended, or its key is no longer valid. */
  identifySession?(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Calls back with the ids of keys that were revoked. Returns a function that ends this. */
  onRevoked?(run: (keyIds: readonly string[]) => void): () => void;
  /** The id that a key says of itself, whether there is such a key or not; undefined for any other text. */
  findKeyId?(presented: string): string | undefined;
  /** When it last knew that its answers are up to date, in milliseconds since the epoch; 0 if never. Absent: always. */
  confirmedAt?(): number;
}
