import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { FramingId } from '../http/framing-id.ts';
import type { Cancellation, RawHeaders, RequestBody, Waits } from '../http/http.ts';

declare const tenantId: unique symbol;
declare const organisationId: unique symbol;
declare const workspaceId: unique symbol;

/**
 * The id of the tenant that the state of a key belongs to. Without service keys there is one tenant; with a control plane, it is
 * the id of the workspace.
 */
export type TenantId = string & { readonly [tenantId]: true };
/** The id of an organisation. */
export type OrganisationId = string & { readonly [organisationId]: true };
/** The id of a workspace. */
export type WorkspaceId = string & { readonly [workspaceId]: true };

/** A permission of a key: a resource and a verb, such as `prompts.publish`. */
export type KeyScope = `${string}.${string}`;

/** The priority of a request under load: `low` is refused first, `high` last. */
export type Priority = 'low' | 'normal' | 'high';

/** The values that a service key sets for requests that do not specify them, or are not allowed to. */
export interface KeyDefaults {
  /** Labels: strings, numbers and booleans. They take precedence over those of the request. */
  readonly metadata?: JsonObject;
  /** The name of the config for requests that name neither a config nor a provider. */
  readonly config?: string;
  /** `false`: every request is served by `config`, and a request with another config is rejected. */
  readonly allowConfigOverride?: boolean;
  /**
   * Whether responses are stored if the request does not specify it. If absent, only the items that later requests may refer to
   * by id are stored, for a while.
   */
  readonly keepResponses?: boolean;
  /** `all`: checks judge every turn of a request, not only the new ones. The gateway file can set this too. */
  readonly judgedTurns?: 'all';
  /** The maximum age in seconds of cached answers for its requests, and the default age if a config has none. */
  readonly cacheMaxAgeS?: number;
  /** The highest priority that its requests can have; `normal` if absent. */
  readonly priority?: Priority;
}

/** The caller. A key of the gateway file has `tenant` and `keyId`; a control plane provides the rest. */
export interface Principal {
  readonly tenant: TenantId;
  /** The id of the service key, never the key itself. */
  readonly keyId?: string;
  readonly organisation?: OrganisationId;
  /** The workspace in which the request acts. */
  readonly workspace?: WorkspaceId;
  /** Where the key may act: in its workspace, or in every workspace of its organisation. */
  readonly reach?: 'workspace' | 'organisation';
  /**
   * The permissions of the key, as `resource.verb`. If absent, as for keys of the gateway file, it may send requests to models
   * and nothing else.
   */
  readonly scopes?: ReadonlySet<KeyScope>;
  readonly defaults?: KeyDefaults;
  /** The user that the key was created for. It is the label `_user`, whatever a request specifies. */
  readonly userId?: string;
  /** The ids of the keys whose limits also apply to its requests because they created it, outermost first. */
  readonly sharesLimitsOf?: readonly string[];
}

/**
 * The kind of call. `complete` continues a text; `count` counts the tokens of a conversation; `moderate` reports whether content
 * is harmful; `ocr` reads documents. `opaque` is everything that the gateway does not model: it is passed through.
 */
export type Operation =
  | 'converse'
  | 'complete'
  | 'count'
  | 'embed'
  | 'rerank'
  | 'moderate'
  | 'image'
  | 'speech'
  | 'transcribe'
  | 'ocr'
  | 'opaque';

/** The operation and the dialect of a request, derived from its path. */
export interface Route {
  readonly operation: Operation;
  /**
   * The client's dialect. If `operation` is `opaque`, the path belongs to this dialect's API and is passed through only to
   * providers that speak it. An `opaque` route without a dialect is passed through to any provider.
   */
  readonly dialect?: string;
  /** The model in the path, percent-decoded. Absent if the body names it. */
  readonly model?: string;
  /** The model in the path that must be written into the body. */
  readonly bodyModel?: string;
  /** Whether requests may be forms, whose fields the dialect reads. */
  readonly hasForms?: true;
  /** Whether the path requests a stream. If absent, the body's `stream` decides. */
  readonly stream?: boolean;
  /** The framing of streams to this client. If absent, the dialect's own. */
  readonly framing?: FramingId;
  /** Whether the request opens a session over WebSocket, which is relayed to providers that have the same. */
  readonly opensSession?: true;
  /** Whether the request opens a WebSocket whose messages the gateway answers, each as a request to the same path. */
  readonly answersMessages?: true;
  /** An endpoint of the control plane, which no plan serves. */
  readonly isControl?: true;
  /**
   * Whether the path is in the storage of the provider's cloud, which has the files of its jobs. Only requests from plugins can
   * have it.
   */
  readonly isStorage?: true;
  /**
   * The origin of a URL that the provider signed; the path is the rest of the URL. Its requests are sent without a credential.
   */
  readonly signedOrigin?: string;
}

/**
 * The client's request. `path` is the part after the gateway's `/v1`, with its query, from which the client's credential has been
 * removed.
 */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/** The settings from the caller's headers. They override the config at every target. */
export interface CallerOverrides {
  /** `x-gw-provider`. */
  readonly provider?: string;
  /** The token of `Authorization: Bearer`, or of the header or query parameter that the caller's dialect uses for its key. */
  readonly credential?: string;
  readonly customHost?: string;
  readonly forwardHeaders?: readonly string[];
  readonly timeoutMs?: number;
  /** `x-gw-deadline`: the milliseconds that the whole request may take, from when it was received. */
  readonly deadlineMs?: number;
  /** `x-gw-max-cost`: the maximum cost of the whole request in US dollars. */
  readonly maxCostUsd?: number;
  /** `x-gw-strict-llmv-compliance: false`. */
  readonly strict?: boolean;
  /** `x-gw-usage: true`: the answer reports what it used, and which attempts were made. */
  readonly usage?: boolean;
  /** `x-gw-cache-force-refresh: true`: caches are not read, and their entries are replaced. */
  readonly cacheRefresh?: boolean;
  /** `x-gw-cache-namespace`: separates cached answers, instead of the metadata and forwarded headers. */
  readonly cacheNamespace?: string;
  /** `x-gw-debug: false`: nothing of the request is stored, so caches are not used. */
  readonly debug?: boolean;
  /** `x-gw-sensitive-headers`: the names, in lower case, of headers whose values are never logged. */
  readonly sensitiveHeaders?: readonly string[];
  /** Provider settings from the cloud headers, by the name of the config field. */
  readonly settings?: JsonObject;
}

/** Labels that the gateway adds to a request while it serves it. */
export interface ServedLabels {
  /** The slug of the stored prompt that the last target sent. The metadata contain it as `_prompt`. */
  prompt: string | undefined;
  /** When the answer was ready to be sent, in milliseconds of a monotonic clock. Set only if `completed` is tapped. */
  answeredAt?: number | undefined;
  /** Measures how long the request waits for others. Present only if the caller, or a tap of `overheadMeasured`, needs it. */
  waits?: Waits | undefined;
  /** How many milliseconds the request waited for places at targets. Set only if targets have limits and it waited. */
  queuedMs?: number | undefined;
  /** Settles when the request's background checks have ended, which may be after the answer. Present only if there are any. */
  background?: Promise<unknown> | undefined;
}

/** A virtual model that a request named. Its plan sets the models that are called. */
export interface NamedVirtualModel {
  /** The name as the client wrote it. */
  readonly name: string;
  /** The name of the config or model that it stands for. */
  readonly standsFor: string;
}

/** The plan that serves a request. */
export interface ServingPlan {
  readonly routing: RoutingPlan;
  /** `name@hash`, as in `x-gw-plan`. */
  readonly label: string;
  /** Whether the plan came with the request. Its names are then the caller's, and their number is unbounded. */
  readonly isCallers?: true;
}

/**
 * The body that is sent instead of the request's own if one saved provider serves the request, because that provider already has
 * what the body repeats.
 */
export interface OwnForm {
  /** The saved provider or virtual key. */
  readonly slug: string;
  readonly body: JsonObject;
  /** The body as bytes of JSON text. */
  readonly bytes: Uint8Array;
}

/** A request whose answer is stored, or that continues a stored one. */
export interface KeptExchange {
  /** The saved provider or virtual key that stores what the request continues. Groups prefer it if they may call it. */
  readonly prefers?: string;
  readonly ownForm?: OwnForm;
  /**
   * Whether it creates something new, so that the account that created it is recorded. If a target has keys of several accounts,
   * any of them can be used, unless the request refers to something that one of them has.
   */
  readonly isNew?: true;
}

/** The request that a mirror copied. */
export interface CopiedRequest {
  readonly traceId: string;
  /** The node that the mirror belongs to. */
  readonly path: JsonPointer;
  /** The text of the answer that the client received. Undefined if nothing compares with it, or it has no text. */
  readonly answerText?: string | undefined;
}

/** A request on its way through a plan. */
export interface Exchange {
  readonly traceId: string;
  readonly principal: Principal;
  /** Names, in lower case, of client headers that were removed because they contained the service key. */
  readonly withheld?: readonly string[] | undefined;
  /**
   * Names, in lower case, of client headers that were removed because they are meant for this gateway or for another recipient:
   * the credentials of the dialect, and AWS signatures.
   */
  readonly removed?: readonly string[] | undefined;
  readonly route: Route;
  readonly request: ClientRequest;
  readonly overrides: CallerOverrides;
  /** Absent if nothing reads them. */
  readonly labels?: ServedLabels;
  /** Undefined until a plan is chosen, and if none is. */
  readonly plan?: ServingPlan | undefined;
  /** Undefined if the request named none, or its plan was chosen by something else. */
  readonly virtualModel?: NamedVirtualModel | undefined;
  /**
   * The facts that conditions can test: metadata, the body's params (parsed on first access; throws `malformed-body`), what its
   * virtual model stands for, and the path.
   */
  readonly facts: Facts;
  /** Returns the body as a JSON object, parsed on first access. Throws the `GatewayError` `malformed-body`. */
  json(): JsonObject;
  /** The literal secrets in the config that came with this request, by slot. */
  readonly secrets: readonly string[];
  /** The seed of all random draws of this request. */
  readonly seed: number;
  /** When the request started, in milliseconds on the gateway's monotonic clock. Absent if nothing is measured. */
  readonly startedAt?: number;
  readonly trail: TrailEvent[];
  /** The target of the request line, with its query. Absent if no client sent the request. */
  readonly url?: string;
  /** The body as a JSON object, if it has been parsed. */
  readonly readBody?: JsonObject | undefined;
  /** The model in a form that is passed through; null if it names none. Undefined if the form has not been read. */
  readonly formModel?: string | null | undefined;
  /** Absent if the answer is not stored, so that nobody needs to know who produced it. */
  readonly kept?: KeptExchange | undefined;
  /** False for the gateway's own requests, which limits neither count nor refuse. */
  readonly isCounted?: boolean;
  /** Whether a plugin dispatched it, and chose its path; false if absent. */
  readonly isDispatched?: boolean;
  /**
   * The request that this one is a copy of. Nothing waits for the answer of a copy, and it is not a client's request. Absent for
   * all other requests.
   */
  readonly mirrorOf?: CopiedRequest | undefined;
  /** Cancelled when the client disconnects. */
  readonly cancellation: Cancellation;
}
