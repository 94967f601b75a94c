import type { Json } from '../../../schema/json/json.ts';
import type { TenantId } from '../exchange/exchange.ts';
import type { RawHeaders } from '../http/http.ts';

/** The request that a reply was stored for. */
export interface RepeatedRequest {
  readonly tenant: TenantId;
  /** The `operationId` of its route. */
  readonly route: string;
  /** Its `idempotency-key`. */
  readonly key: string;
}

/** A reply that the same request is answered with again. */
export interface StoredReply {
  /** Of everything that makes it the same request: path, query, body. */
  readonly bodyHash: string;
  readonly status: number;
  /** Undefined if it has none. */
  readonly body: Json | undefined;
  /** Those of its handler, such as an `etag`; absent: none. */
  readonly headers?: RawHeaders;
  /** When it was kept, in milliseconds since the epoch. */
  readonly keptAt: number;
}

/** A request that wants to be run. */
export interface ClaimedRequest extends RepeatedRequest {
  readonly bodyHash: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether a request may be run: it was answered before, runs at the moment in another process, or is the caller's to run. */
export type Claim =
  | { readonly kind: 'answered'; readonly reply: StoredReply }
  | { readonly kind: 'running'; readonly bodyHash: string }
  | { readonly kind: 'yours' };

/** Where replies to requests with an `idempotency-key` are kept for 24 hours. */
export interface IdempotencyStore {
  /**
   * A caller that gets `yours` runs the request, and calls `keep` or `release` then. Only one gets it until that is
   * done.
   */
  claim(request: ClaimedRequest): Promise<Claim>;
  /** Says of a request that somebody still runs it. */
  renew(request: ClaimedRequest): Promise<void>;
  keep(request: RepeatedRequest, reply: StoredReply): Promise<void>;
  /** The request ended without a reply to keep, and may be run again. */
  release(request: RepeatedRequest): Promise<void>;
}

/** How long replies are kept, in milliseconds. */
export const retentionMs: number = 24 * 60 * 60 * 1000;
