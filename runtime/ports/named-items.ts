import type { ItemsOwner } from '../../plugins/sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../schema/json/json.ts';

export type { ItemsOwner } from '../../plugins/sdk/control-plane/stored-items.ts';

/** Items that were found, by their ids. */
export type FoundItems = ReadonlyMap<string, JsonObject>;

/** Items of answers that a later request may name only by their ids. */
export interface NamedItems {
  remember(of: ItemsOwner, items: readonly JsonObject[]): void;
  /** Whether anything of a tenant is remembered here. */
  holds(tenant: TenantId): boolean;
  /** Returns undefined if it was never remembered here, or no longer is. */
  recall(of: ItemsOwner, id: string): JsonObject | undefined;
}

/** The same, with a store that outlasts the process and that other processes share. */
export interface SharedNamedItems extends NamedItems {
  /** Remembers them in the store too. */
  store(of: ItemsOwner, items: readonly JsonObject[]): void;
  /** Looks up in the store the items that are not known here. Undefined if there are none. Never rejects. */
  find(of: ItemsOwner, ids: readonly string[]): Promise<FoundItems> | undefined;
}
