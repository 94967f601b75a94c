import type { Json } from '../../../schema/json/json.ts';
import type { TenantId } from '../exchange/exchange.ts';
import type { RawHeaders } from '../http/http.ts';

/** The request that a reply was stored for. */
export interface RepeatedRequest {
  readonly tenant: TenantId;
  /** The `operationId` of the route. */
  readonly route: string;
  /** The `idempotency-key` of the request. */
  readonly key: string;
}

/** A stored reply, which is sent again for the same request. */
export interface StoredReply {
  /** A hash of everything that identifies the request: path, query and body. */
  readonly bodyHash: string;
  readonly status: number;
  /** Undefined if the reply has no body. */
  readonly body: Json | undefined;
  /** The headers that the handler set, such as an `etag`. Absent if there are none. */
  readonly headers?: RawHeaders;
  /** When the reply was stored, in milliseconds since the epoch. */
  readonly keptAt: number;
}

/** A request that is about to be run. */
export interface ClaimedRequest extends RepeatedRequest {
  readonly bodyHash: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Whether a request may be run: it was already answered, it is running in another process, it has changed something but its process
 * ended before the reply was stored, or the caller may run it.
 */
export type Claim =
  | { readonly kind: 'answered'; readonly reply: StoredReply }
  | { readonly kind: 'running' | 'changed'; readonly bodyHash: string }
  | { readonly kind: 'yours' };

/** Stores replies to requests with an `idempotency-key` for 24 hours. */
export interface IdempotencyStore {
  /**
   * Claims a request. A caller that receives `yours` runs the request and then calls `keep` or `release`. Until then, no other
   * caller receives `yours`.
   */
  claim(request: ClaimedRequest): Promise<Claim>;
  /**
   * Runs a claimed request, and records that it has changed something, with the change. If its process then ends before `keep`,
   * `claim` returns `changed`.
   */
  during?<Result>(request: Omit<ClaimedRequest, 'now'>, run: () => Promise<Result>): Promise<Result>;
  /** Reports that a request is still running. */
  renew(request: ClaimedRequest): Promise<void>;
  keep(request: RepeatedRequest, reply: StoredReply): Promise<void>;
  /** Reports that the request ended without a reply to store, and may be run again. */
  release(request: RepeatedRequest): Promise<void>;
}

/** How long replies are stored, in milliseconds. */
export const retentionMs: number = 24 * 60 * 60 * 1000;
