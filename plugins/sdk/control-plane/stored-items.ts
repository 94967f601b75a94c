import type { JsonObject } from '../../../schema/json/json.ts';
import type { TenantId } from '../exchange/exchange.ts';

/** The owner of the items: a workspace, and what distinguishes its callers where they bring credentials of their own. */
export interface ItemsOwner {
  readonly tenant: TenantId;
  readonly owner: string;
}

/** Where items of answers outlast a process, and other processes find them. */
export interface StoredItems {
  /** Keeps those that have an id. It never throws, and never waits. */
  keep(of: ItemsOwner, items: readonly JsonObject[]): void;
  /** Those that are there. It never rejects: while the store is unavailable, there are none. */
  find(of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]>;
}
