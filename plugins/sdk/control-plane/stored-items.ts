import type { JsonObject } from '../../../schema/json/json.ts';
import type { TenantId } from '../exchange/exchange.ts';

/** The owner of items: a workspace, and an id that distinguishes its callers if they bring their own credentials. */
export interface ItemsOwner {
  readonly tenant: TenantId;
  readonly owner: string;
}

/** Stores items of answers beyond the life of a process, so that other processes can find them. */
export interface StoredItems {
  /** Stores the items that have an id. Never throws, and never waits. */
  keep(of: ItemsOwner, items: readonly JsonObject[]): void;
  /** Returns the items that exist. Never rejects: while the store is unavailable, it returns none. */
  find(of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]>;
}
