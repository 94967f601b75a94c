import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { RouteContext, RouteReply } from '../../../../sdk/route/route-row.ts';
import type { Account } from '../../provider-requests/account.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { LineResult } from './batch-lines.ts';

/** A request about batches: its sender and its account. */
export interface BatchCall {
  readonly tenant: TenantId;
  /** The context of the request, or of a job that acts for it. */
  readonly context: Omit<RouteContext, 'mayGoOn' | 'once'>;
  /**
   * The account that the request names. Rejects with the `GatewayError` `invalid-input` if the workspace has none with that name.
   */
  account(): Promise<Account>;
}

/** A request about batches with a known account. */
export interface ProviderCall extends Omit<BatchCall, 'account'> {
  readonly account: Account;
}

/** A page of a list, the newest first. */
export interface BatchPage {
  readonly data: readonly object[];
  readonly hasMore: boolean;
}

/**
 * Runs batches, either at the provider or in the gateway. Methods reject with `GatewayError`s: with `not-found` for a batch that
 * the caller's workspace does not have.
 */
export interface Executor<Call = BatchCall> {
  /** Checks whether the executor has a batch of this id. */
  owns(id: string): boolean;
  create(call: Call, body: NewBatchBody): Promise<RouteReply>;
  retrieve(call: Call, id: string): Promise<RouteReply>;
  cancel(call: Call, id: string): Promise<RouteReply>;
  /** Returns the lines that succeeded. */
  output(call: Call, id: string): Promise<RouteReply>;
  list(call: Call, page: { readonly after?: string | undefined; readonly limit: number }): Promise<BatchPage>;
}

/** The result of a line, in OpenAI's form. */
export interface BatchResult {
  readonly line: JsonObject;
  /** The usage as the provider itself reports it; absent if the line contains all of it. */
  readonly usage?: Usage | undefined;
  /** The line as a file of the gateway stores it; absent if the provider has the file. */
  readonly kept?: LineResult;
}

/** A batch whose lines have run, or never will. */
export interface EndedBatch {
  /** Returns the model that all lines request, if it was not recorded when the batch was created. */
  model?(): Promise<string | undefined>;
  /** Reads each result once, from the provider. */
  results(): AsyncIterable<BatchResult>;
}

/** A provider that runs batches. */
export interface ProviderExecutor extends Omit<Executor<ProviderCall>, 'owns'> {
  /** Queries a batch; undefined while it is running. Rejects like the others, or with a `ProviderRefusal`. */
  findEnded(call: ProviderCall, id: string): Promise<EndedBatch | undefined>;
}
