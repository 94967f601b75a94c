import type { Json } from '../../schema/json.ts';
import type { TenantId } from './exchange.ts';

/** Which request a reply was kept for. */
export interface RepeatedRequest {
  readonly tenant: TenantId;
  /** The `operationId` of its route. */
  readonly route: string;
  /** Its `idempotency-key`. */
  readonly key: string;
}

/** A reply that the same request is answered with again. */
export interface KeptReply {
  /** Of everything that makes it the same request: path, query, body. */
  readonly bodyHash: string;
  readonly status: number;
  /** Undefined if it has none. */
  readonly body: Json | undefined;
  /** When it was kept, in milliseconds since the epoch. */
  readonly keptAt: number;
}

/** Where replies to requests with an `idempotency-key` are kept for 24 hours, or longer: older ones are not used. */
export interface KeptReplies {
  find(request: RepeatedRequest): Promise<KeptReply | undefined>;
  /** Takes the place of one that is kept for the same request. */
  keep(request: RepeatedRequest, reply: KeptReply): Promise<void>;
}
