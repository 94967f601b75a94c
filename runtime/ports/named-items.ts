import type { TenantId } from '../../plugins/sdk/exchange.ts';
import type { JsonObject } from '../../schema/json.ts';

/** Whose items they are: a workspace, and what distinguishes its callers where they bring credentials of their own. */
export interface ItemsOwner {
  readonly tenant: TenantId;
  readonly owner: string;
}

/** Items of answers that a later request may name by their ids alone. */
export interface NamedItems {
  remember(of: ItemsOwner, items: readonly JsonObject[]): void;
  /** Undefined if it was never remembered, or no longer is. */
  recall(of: ItemsOwner, id: string): JsonObject | undefined;
}
