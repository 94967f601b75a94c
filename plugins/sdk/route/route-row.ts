import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { BrowserCaller } from '../control-plane/session-cookies.ts';
import type { KeptExchange, KeyScope, Principal, TenantId } from '../exchange/exchange.ts';
import type { Cancellation, GatewayResponse, RawHeaders, RequestBody } from '../http/http.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';

/** An HTTP method that a route can have. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A path below `/v1`. A segment in braces is a parameter: `/prompts/{id}/render`. */
export type ControlPath = `/${string}`;

/** The schema of a JSON body, arbitrary bytes, a stream of server-sent events, or JSON values, one per line. */
export type RouteReplyForm = ParameterSchema | 'bytes' | 'events' | 'lines';

/**
 * The replies of a route, by status. A list if the request decides which form is used. `default` is for every other status: a
 * route that forwards an answer of the data path has it. Errors of the gateway itself need not be listed.
 */
export interface RouteReplies {
  readonly [status: number]: RouteReplyForm | readonly RouteReplyForm[];
  readonly default?: RouteReplyForm | readonly RouteReplyForm[];
}

/** A JSON answer. Without `body`, the answer is empty. */
export interface JsonReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: RawHeaders;
}

/** The answer of a route. */
export type RouteReply = JsonReply | GatewayResponse;

/** The body of a request as the client sends it. */
export interface ReceivedBody {
  /** The value of `content-type`. */
  readonly contentType: string | undefined;
  /** The value of `content-encoding`. */
  readonly encoding: string | undefined;
  /** The length in bytes, or undefined if the client does not announce it. */
  readonly length: number | undefined;
  /** The body as a stream, which can be read once, if the route's body is `bytes`. */
  readonly body: RequestBody;
  /**
   * Returns the body as a JSON object, which is parsed only once even if it is dispatched. Present if the route's body is
   * `whole`. Throws the `GatewayError` `malformed-body`.
   */
  json?(): JsonObject;
}

/** A request from a plugin to the data path. */
export interface InternalRequest {
  readonly method: string;
  /** Path and query: `/v1/chat/completions`. */
  readonly path: string;
  /** The headers that clients send, such as `x-gw-config`. Those that describe a body are ignored. */
  readonly headers?: RawHeaders;
  /** The body, sent as JSON. */
  readonly body?: JsonObject;
  /** A body that is sent unchanged, instead of `body`. */
  readonly received?: ReceivedBody;
  /** Whether `path` is in the storage of the provider's cloud, such as `/bucket/object`, rather than a path of the gateway. */
  readonly isStorage?: true;
  /** Whether `path` belongs to the plan's provider, below its base URL, although the gateway has a route of that name. */
  readonly isPassedOn?: true;
  /**
   * With `isStorage`: the origin of a URL that the provider signed, such as `https://storage.example.com`; `path` is the rest of
   * the URL. The request is sent without the credential, and only if the provider declares that it signs URLs.
   */
  readonly signedOrigin?: string;
  /** Whether the request continues after the client has disconnected, for example to clean up. False if absent. */
  readonly outlivesClient?: boolean;
  /** Present if the answer is stored. The answer's leaf then reports who produced it. */
  readonly kept?: KeptExchange;
  /** Whether only dialect routes that call models are allowed: any other path then has no endpoint. False if absent. */
  readonly isModelCall?: true;
  /**
   * Whether the answer reports what it used in `usage`, and what its attempts used in `usages`, and has the headers of a client's
   * request with `x-gw-usage: true`.
   */
  readonly asksUsage?: true;
  /** False for requests of the gateway itself rather than a client, which limits neither count nor refuse. True if absent. */
  readonly isCounted?: boolean;
}

/**
 * Sends a request through the data path as a principal: its plan is chosen, and limits and logs count it. Never rejects: an error
 * is an answer. The answer must be returned, or its body started or discarded.
 */
export type Dispatch = (request: InternalRequest, as: Principal) => Promise<GatewayResponse>;

/** The result of a request with an `idempotency-key`. */
export interface OnceReply {
  readonly reply: RouteReply;
  /** Resolves to the reply for repetitions, or to undefined if the request may be run again. Never rejects. */
  readonly kept: Promise<Json | undefined>;
}

/**
 * Runs a request with an `idempotency-key`, unless the same request was run in the last 24 hours. In that case, `again` creates
 * the answer from what was stored. A request without that header is always run. Throws the `GatewayError` `idempotency-conflict`
 * for a different request with the same key, and `conflict` if the same request keeps running for too long.
 */
export type Once = (
  run: () => Promise<OnceReply>,
  again: (kept: Json) => RouteReply | Promise<RouteReply>,
) => Promise<RouteReply>;

/** The caller and the services that a route can use, in addition to its input. */
export interface RouteContext {
  /** The caller. Without service keys, that of the only tenant. */
  readonly principal: Principal;
  /** The tenant of the principal. */
  readonly tenant: TenantId;
  /** The id of the request in the gateway's log. */
  readonly traceId: string;
  /** The remote address of the connection, which may be a proxy's. Absent if there is no connection. */
  readonly clientAddress?: string;
  /** The headers of the request, without those that contain the service key. */
  readonly headers: RawHeaders;
  /** The labels that the request was sent with, as for a call to a model. Absent if there are none. */
  readonly metadata?: JsonObject;
  /** Present for a route that admits anyone. */
  readonly browser?: BrowserCaller;
  /** Cancelled when the client disconnects. */
  readonly cancellation: Cancellation;
  readonly dispatch: Dispatch;
  /** For a route that is `idempotent` and whose body is `whole`. */
  readonly once: Once;
  /**
   * Resolves to whether a long-lasting answer, such as a stream of events, may continue: its caller is still valid and may use
   * the route, and the gateway is not shutting down. Such an answer should call it about once a second, and end when it may not
   * continue. Never rejects.
   */
  mayGoOn(): Promise<boolean>;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** The validated input of a route. */
export interface RouteInput {
  readonly params: JsonObject;
  readonly query: JsonObject;
  /** Undefined if the route has no schema for the body. */
  readonly body: Json | undefined;
  readonly received: ReceivedBody;
}

/** An endpoint of the control plane, whatever the types of its input. */
export interface AnyRouteRow {
  readonly method: RouteMethod;
  readonly path: ControlPath;
  /** Unique among all plugins. Letters, digits, `-` and `_`. */
  readonly operationId: string;
  /** A one-line summary for `openapi.json`. */
  readonly summary: string;
  /** The permission that the caller's key must have. Null admits every known caller. */
  readonly scope: KeyScope | null;
  /**
   * `anyone`: callers are not identified. `sessions`: also admits sessions of the console. Without it, sessions cannot use routes
   * that call models, that is, `shared` routes and those with the scope `completions.write`. Absent: callers with a key, and
   * sessions unless the route calls models.
   */
  readonly admits?: 'anyone' | 'sessions';
  /** Whether the path, which must have no parameters, is served at the root as well as below `/v1`. False if absent. */
  readonly isAtRoot?: true;
  /**
   * Whether a `POST` with the header `idempotency-key` is run once and then answered from memory. If the route's body is `whole`,
   * the handler uses `once` to mark the part that is run only once.
   */
  readonly idempotent?: boolean;
  /** The schema of the path parameters; each is a string if absent. */
  readonly params?: ParameterSchema;
  /**
   * The schema of the query. Without it, the route accepts no query. A parameter whose schema is an array may occur several
   * times.
   */
  readonly query?: ParameterSchema;
  /**
   * Headers that the handler reads in addition to the common ones, by their names in lower case, for `openapi.json`. A header
   * with the prefix `x-gw-` that neither a route declares nor the gateway knows is rejected. The handler itself validates the
   * values.
   */
  readonly headers?: ParameterSchema;
  /** The members of the form in a body of `bytes`, as in OpenAPI, for `openapi.json`. */
  readonly form?: JsonObject;
  /**
   * The schema of the body; if absent, the body is not read. With `bytes` or `whole`, the handler reads `received`, whatever its
   * type: `bytes` is a stream, `whole` is the complete body, decoded.
   */
  readonly body?: ParameterSchema | 'bytes' | 'whole' | null;
  /** The maximum size of a JSON body in bytes. If absent, 1 MiB, or for `whole` the same limit as for requests to models. */
  readonly maxBytes?: number;
  /** @deprecated Use `maxBytes`. */
  readonly mostBytes?: number;
  /**
   * Whether everything else below the first segment of the path is passed to providers, as if the route did not exist. Requests
   * that the route dispatches reach what they would reach without it: a dialect's route, or a provider. False if absent: the
   * segment belongs to the control plane alone.
   */
  readonly shared?: boolean;
  readonly replies: RouteReplies;
  /** Headers that replies with a status below 400 may have, by their names in lower case, for `openapi.json`. */
  readonly replyHeaders?: ParameterSchema;
  /**
   * Answers a request whose input is valid, with defaults filled in. A thrown `GatewayError` becomes the answer; any other error
   * becomes a 500 that contains only the trace id.
   */
  handle(input: RouteInput, context: RouteContext): RouteReply | Promise<RouteReply>;
}
