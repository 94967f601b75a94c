import type { TenantId } from '../../sdk/exchange.ts';
import type { RawHeaders } from '../../sdk/http.ts';
import type { RouteContext, RouteReply } from '../../sdk/route-row.ts';
import type { NewBatchBody } from './batch-bodies.ts';

/** The provider that a request about batches names. */
export interface BatchProvider {
  /** The slug of the virtual key or saved provider. */
  readonly slug: string;
  /** What it is an account of: `openai`. */
  readonly provider: string;
  /** What names it to the data path. */
  readonly headers: RawHeaders;
}

/** A request about batches: who sends it, and to whom. */
export interface BatchCall {
  readonly tenant: TenantId;
  readonly context: RouteContext;
  /** Rejects with the `GatewayError` `invalid-input` if the workspace has none of the name. */
  provider(): Promise<BatchProvider>;
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
export interface Executor {
  /** Whether a batch of this id is one of its own. */
  owns(id: string): boolean;
  create(call: BatchCall, body: NewBatchBody): Promise<RouteReply>;
  retrieve(call: BatchCall, id: string): Promise<RouteReply>;
  cancel(call: BatchCall, id: string): Promise<RouteReply>;
  /** The lines of what has succeeded. */
  output(call: BatchCall, id: string): Promise<RouteReply>;
  list(call: BatchCall, page: { readonly after?: string | undefined; readonly limit: number }): Promise<BatchPage>;
}
