import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { RouteContext, RouteReply } from '../../../../sdk/route/route-row.ts';
import type { Account } from '../../accounts/account.ts';
import type { NewBatchBody } from './batch-bodies.ts';
import type { LineResult } from './batch-lines.ts';

/** A request about batches: who sends it, and to whom. */
export interface BatchCall {
  readonly tenant: TenantId;
  /** Of a request, or of a job that asks in its place. */
  readonly context: Omit<RouteContext, 'mayGoOn' | 'once'>;
  /** The account that it names. Rejects with the `GatewayError` `invalid-input` if the workspace has none of the name. */
  account(): Promise<Account>;
}

/** A request about batches whose account is known. */
export interface ProviderCall extends Omit<BatchCall, 'account'> {
  readonly account: Account;
}

/** A part of a list, the newest first. */
export interface BatchPage {
  readonly data: readonly object[];
  readonly hasMore: boolean;
}

/**
 * Runs batches: the provider itself, or the gateway. Methods reject with `GatewayError`s; of a batch that the caller's
 * workspace does not have with `not-found`.
 */
export interface Executor<Call = BatchCall> {
  /** Finds out whether a batch of this id is one of its own. */
  owns(id: string): boolean;
  create(call: Call, body: NewBatchBody): Promise<RouteReply>;
  retrieve(call: Call, id: string): Promise<RouteReply>;
  cancel(call: Call, id: string): Promise<RouteReply>;
  /** The lines of what has succeeded. */
  output(call: Call, id: string): Promise<RouteReply>;
  list(call: Call, page: { readonly after?: string | undefined; readonly limit: number }): Promise<BatchPage>;
}

/** The result of a line, in OpenAI's form. */
export interface BatchResult {
  readonly line: JsonObject;
  /** As the provider itself reports it; absent where the line says all of it. */
  readonly usage?: Usage | undefined;
  /** The line as a file of the gateway has it; absent where the provider has the file. */
  readonly kept?: LineResult;
}

/** A batch whose lines have run, or never will. */
export interface EndedBatch {
  /** The model that all lines have asked for, where it is not known since the batch was made. */
  model?(): Promise<string | undefined>;
  /** Each result once, from the provider. */
  results(): AsyncIterable<BatchResult>;
}

/** A provider that runs batches. */
export interface ProviderExecutor extends Omit<Executor<ProviderCall>, 'owns'> {
  /** Asks for a batch; undefined as long as it runs. Rejects like the others, or with a `ProviderRefusal`. */
  ended(call: ProviderCall, id: string): Promise<EndedBatch | undefined>;
}
