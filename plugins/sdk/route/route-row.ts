import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { BrowserCaller } from '../control-plane/session-cookies.ts';
import type { KeptExchange, KeyScope, Principal, TenantId } from '../exchange/exchange.ts';
import type { Cancellation, GatewayResponse, RawHeaders, RequestBody } from '../http/http.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';

/** A method of HTTP that a route can have. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A path below `/v1`. A segment in braces is a parameter: `/prompts/{id}/render`. */
export type ControlPath = `/${string}`;

/** The schema of a JSON body, other bytes, a stream of server-sent events, or JSON values that are a line each. */
export type RouteReplyForm = ParameterSchema | 'bytes' | 'events' | 'lines';

/**
 * The replies of a route, by status; a list where the request decides which of its forms. `default` is for every other
 * status: a route that passes on an answer of the data path has it. Errors of the gateway itself need not be listed.
 */
export interface RouteReplies {
  readonly [status: number]: RouteReplyForm | readonly RouteReplyForm[];
  readonly default?: RouteReplyForm | readonly RouteReplyForm[];
}

/** A JSON answer; without a body it is empty. */
export interface JsonReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: RawHeaders;
}

/** The answer of a route. */
export type RouteReply = JsonReply | GatewayResponse;

/** The body of a request as its client sends it. */
export interface ReceivedBody {
  /** The value of `content-type`. */
  readonly contentType: string | undefined;
  /** The value of `content-encoding`. */
  readonly encoding: string | undefined;
  /** In bytes; undefined if the client does not say it beforehand. */
  readonly length: number | undefined;
  /** A stream, which can be read once, where the route's body is `bytes`. */
  readonly body: RequestBody;
  /**
   * The body as a JSON object, which is parsed once, also where it is dispatched. Given where the route's body is `whole`.
   * Throws the `GatewayError` `malformed-body`.
   */
  json?(): JsonObject;
}

/** A request of a plugin to the data path. */
export interface InternalRequest {
  readonly method: string;
  /** Path and query: `/v1/chat/completions`. */
  readonly path: string;
  /** The headers that clients send, such as `x-gw-config`; those that describe a body are not used. */
  readonly headers?: RawHeaders;
  /** Sent as JSON. */
  readonly body?: JsonObject;
  /** Sent as it is, in place of `body`. */
  readonly received?: ReceivedBody;
  /** Whether `path` is one in the storage of the provider's cloud, such as `/bucket/object`, and not one of the gateway's. */
  readonly isStorage?: true;
  /** Whether the provider of the plan has `path`, below its base URL, though a route of the gateway is called so. */
  readonly isPassedOn?: true;
  /**
   * With `isStorage`: the origin of an address that the provider signed, such as `https://storage.example.com`, of which `path`
   * is the rest. It is asked without the credential, and only where the provider says that it signs addresses.
   */
  readonly signedOrigin?: string;
  /** Whether it is sent to its end though the client has left, as what tidies up after that. False if absent. */
  readonly outlivesClient?: boolean;
  /** Given if the answer is kept: its leaf then says who made it. */
  readonly kept?: KeptExchange;
  /** Whether only the route of a dialect for calls to models is meant: every other path has no endpoint. False if absent. */
  readonly isModelCall?: true;
  /** Whether the answer says in `usage` what it used, as for a client with `x-gw-usage: true`. */
  readonly asksUsage?: true;
  /** False for what the gateway asks for itself, and no client: limits neither count nor refuse it. True if absent. */
  readonly isCounted?: boolean;
}

/**
 * Runs a request through the data path as a principal: its plan is chosen, limits and logs count it. It never rejects: an
 * error is an answer. The answer must be returned, or its body started or discarded.
 */
export type Dispatch = (request: InternalRequest, as: Principal) => Promise<GatewayResponse>;

/** The outcome of a request with an `idempotency-key`. */
export interface OnceReply {
  readonly reply: RouteReply;
  /** The reply to a repetition, once it is known; undefined: the request may be run again. It never rejects. */
  readonly kept: Promise<Json | undefined>;
}

/**
 * Runs a request with an `idempotency-key` unless the same one was run in the last 24 hours, which `again` then answers by
 * what was kept of it. One without that header is run. Throws the `GatewayError` `idempotency-conflict` for another request
 * with the same key, and `conflict` where the same one runs for long.
 */
export type Once = (
  run: () => Promise<OnceReply>,
  again: (kept: Json) => RouteReply | Promise<RouteReply>,
) => Promise<RouteReply>;

/** The caller and the services of a route, beside its input. */
export interface RouteContext {
  /** Without service keys: that of the only tenant. */
  readonly principal: Principal;
  /** The tenant of the principal. */
  readonly tenant: TenantId;
  /** The id under which the gateway's log has the request. */
  readonly traceId: string;
  /** The address at the other end of the connection, which may be a proxy's; absent where there is no connection. */
  readonly clientAddress?: string;
  /** Without those that contain the service key. */
  readonly headers: RawHeaders;
  /** The labels that the request was sent with, as a call to a model has them; absent: none. */
  readonly metadata?: JsonObject;
  /** Given to a route that admits anyone. */
  readonly browser?: BrowserCaller;
  /** Cancelled when the client leaves. */
  readonly cancellation: Cancellation;
  readonly dispatch: Dispatch;
  /** For a route that is `idempotent` and whose body is `whole`. */
  readonly once: Once;
  /**
   * Resolves with whether an answer that lasts, as a stream of events, may go on: its caller is still valid and may use the route,
   * and the gateway is not shutting down. Such an answer asks about once a second, and ends when it may not. It never rejects.
   */
  mayGoOn(): Promise<boolean>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The checked input of a route. */
export interface RouteInput {
  readonly params: JsonObject;
  readonly query: JsonObject;
  /** Undefined if the route has no schema for it. */
  readonly body: Json | undefined;
  readonly received: ReceivedBody;
}

/** One endpoint of the control plane, whatever the types of its input. */
export interface AnyRouteRow {
  readonly method: RouteMethod;
  readonly path: ControlPath;
  /** Unique among all plugins; letters, digits, `-` and `_`. */
  readonly operationId: string;
  /** One line for `openapi.json`. */
  readonly summary: string;
  /** The permission that the caller's key must have; null: any caller that is known. */
  readonly scope: KeyScope | null;
  /**
   * `anyone`: callers are not identified. `sessions`: sessions of the console too, which open no other route that calls models, as
   * one with the scope `completions.write` or a shared one. Absent: whoever has a key, and sessions if it is none of these.
   */
  readonly admits?: 'anyone' | 'sessions';
  /** Whether the path, which has no parameters, is answered at the root as well as below `/v1`. False if absent. */
  readonly isAtRoot?: true;
  /**
   * Whether a `POST` with the header `idempotency-key` is run once, and answered from memory after that. The handler of a
   * route whose body is `whole` says with `once` what of it that is.
   */
  readonly idempotent?: boolean;
  /** Of the path; each a text if absent. */
  readonly params?: ParameterSchema;
  /** Without it the route takes no query. A member that is an array may occur several times. */
  readonly query?: ParameterSchema;
  /**
   * Headers that the handler reads beside those of every request, by their names in lower case: for `openapi.json`. One with
   * the prefix `x-gw-` that neither a route declares nor the gateway knows is refused. The handler itself says what is wrong
   * with the value of one.
   */
  readonly headers?: ParameterSchema;
  /** The members of the form that a body of `bytes` is, as OpenAPI has them: for `openapi.json`. */
  readonly form?: JsonObject;
  /**
   * Without it a body is not read. The handler reads `received`, whatever its type, where this is `bytes`: a stream; or
   * `whole`: all of it at once, decoded.
   */
  readonly body?: ParameterSchema | 'bytes' | 'whole' | null;
  /** The largest JSON body, in bytes; 1 MiB if absent, and for `whole` what a request to a model may have. */
  readonly maxBytes?: number;
  /** @deprecated Say `maxBytes`. */
  readonly mostBytes?: number;
  /**
   * Whether all else below the first segment of the path is passed to providers, as if no route were there. Its dispatched
   * requests reach what they would without it: a dialect's route, or a provider. False if absent: the segment is the
   * control plane's alone.
   */
  readonly shared?: boolean;
  readonly replies: RouteReplies;
  /** Headers that replies with a status below 400 can have, by their names in lower case: for `openapi.json`. */
  readonly replyHeaders?: ParameterSchema;
  /**
   * Answers a request whose input is valid, with defaults filled in. A thrown `GatewayError` is the answer; anything else
   * is a 500 that says nothing but the trace id.
   */
  handle(input: RouteInput, context: RouteContext): RouteReply | Promise<RouteReply>;
}
