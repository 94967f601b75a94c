import type { TenantId } from '../../sdk/exchange.ts';
import type { RouteContext, RouteReply } from '../../sdk/route-row.ts';
import type { Account } from '../accounts/account.ts';
import type { NewBatchBody } from './batch-bodies.ts';

/** A request about batches: who sends it, and to whom. */
export interface BatchCall {
  readonly tenant: TenantId;
  readonly context: RouteContext;
  /** The account that it names. Rejects with the `GatewayError` `invalid-input` if the workspace has none of the name. */
  account(): Promise<Account>;
}

/** The same, where the account is known. */
export interface ProviderCall extends Omit<BatchCall, 'account'> {
  readonly account: Account;
}

/** A part of a list, the newest first. */
export interface BatchPage {
  readonly data: readonly object[];
  readonly hasMore: boolean;
}

/**
 * Who runs batches: the provider itself, or the gateway. Methods reject with `GatewayError`s; of a batch that the caller's
 * workspace does not have with `not-found`.
 */
export interface Executor<Call = BatchCall> {
  /** Whether a batch of this id is one of its own. */
  owns(id: string): boolean;
  create(call: Call, body: NewBatchBody): Promise<RouteReply>;
  retrieve(call: Call, id: string): Promise<RouteReply>;
  cancel(call: Call, id: string): Promise<RouteReply>;
  /** The lines of what has succeeded. */
  output(call: Call, id: string): Promise<RouteReply>;
  list(call: Call, page: { readonly after?: string | undefined; readonly limit: number }): Promise<BatchPage>;
}
