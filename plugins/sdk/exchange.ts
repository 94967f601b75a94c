import type { Facts } from '../../schema/condition.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { TrailEvent } from '../../schema/trail.ts';
import type { Cancellation, RawHeaders, RequestBody } from './http.ts';

declare const tenantId: unique symbol;

/** Whose state a key belongs to. Without service keys there is one tenant. */
export type TenantId = string & { readonly [tenantId]: true };

export interface Principal {
  readonly tenant: TenantId;
  /** The id of the service key, never the key. */
  readonly keyId?: string;
}

/** What kind of call it is. `opaque` is everything the gateway does not model: passed through. */
export type Operation = 'converse' | 'embed' | 'opaque';

export interface Route {
  readonly operation: Operation;
  /** The client's dialect; absent for `opaque`. */
  readonly dialect?: string;
}

/** The client's request. `path` is the part after the gateway's `/v1`, with its query. */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/** What the caller's own headers ask for; these beat the config at every target. */
export interface CallerOverrides {
  /** `x-gw-provider`. */
  readonly provider?: string;
  /** The token of `Authorization: Bearer`, or what else the caller's dialect carries its key in. */
  readonly credential?: string;
  readonly customHost?: string;
  readonly forwardHeaders?: readonly string[];
  readonly timeoutMs?: number;
  /** `x-gw-strict-llmv-compliance: false`. */
  readonly strict?: boolean;
  /** Provider settings from the cloud headers, by config field name. */
  readonly settings?: JsonObject;
}

/** One request on its way through a plan. */
export interface Exchange {
  readonly traceId: string;
  readonly principal: Principal;
  /** Names, in lower case, of the client's headers that held its service key: they were taken off and go no further. */
  readonly withheld?: readonly string[] | undefined;
  readonly route: Route;
  readonly request: ClientRequest;
  readonly overrides: CallerOverrides;
  /** Metadata, the body's params (parsed on first look; throws `malformed-body`), and the path: what conditions see. */
  readonly facts: Facts;
  /** The body as a JSON object, parsed once on first look; throws the `GatewayError` `malformed-body`. */
  json(): JsonObject;
  /** The literal secrets that came with this request's config, by slot. */
  readonly secrets: readonly string[];
  /** Names all of this request's random draws. */
  readonly seed: number;
  readonly trail: TrailEvent[];
  /** The client left. */
  readonly cancellation: Cancellation;
}
