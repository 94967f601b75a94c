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
 * The id of the tenant whose state a key belongs to. Without service keys there is one tenant; in a control plane it is
 * the workspace's id.
 */
export type TenantId = string & { readonly [tenantId]: true };
/** The id of an organisation. */
export type OrganisationId = string & { readonly [organisationId]: true };
/** The id of a workspace. */
export type WorkspaceId = string & { readonly [workspaceId]: true };

/** A permission of a key: a resource and a verb, as `prompts.publish`. */
export type KeyScope = `${string}.${string}`;

/** The class of a request where there is not room for all: what is `low` is refused first, and what is `high` last. */
export type Priority = 'low' | 'normal' | 'high';

/** The values that a service key gives to requests that do not state them, or must not. */
export interface KeyDefaults {
  /** Labels: strings, numbers and booleans. They count more than those of the request. */
  readonly metadata?: JsonObject;
  /** The name of the config of requests that name neither a config nor a provider. */
  readonly config?: string;
  /** `false`: every request is served by `config`, and one that brings another config is refused. */
  readonly allowConfigOverride?: boolean;
  /** Whether responses are kept where the request does not say it. Absent: only items that they name are, for a while. */
  readonly keepResponses?: boolean;
  /** `all`: checks judge every turn of a request, and not only what is new. The gateway file may say so too. */
  readonly judgedTurns?: 'all';
  /** The longest age of cached answers that its requests are given, in seconds, and the age where a config has none. */
  readonly cacheMaxAgeS?: number;
  /** The highest priority of its requests; `normal` if absent. */
  readonly priority?: Priority;
}

/** The caller. A key of the gateway file has `tenant` and `keyId`; a control plane says the rest. */
export interface Principal {
  readonly tenant: TenantId;
  /** The id of the service key, never the key. */
  readonly keyId?: string;
  readonly organisation?: OrganisationId;
  /** The workspace that the request acts in. */
  readonly workspace?: WorkspaceId;
  /** Where the key may act: in its workspace, or in every workspace of its organisation. */
  readonly reach?: 'workspace' | 'organisation';
  /**
   * The permissions of the key, as `resource.verb`; absent, as for keys of the gateway file: send requests to models,
   * and nothing else.
   */
  readonly scopes?: ReadonlySet<KeyScope>;
  readonly defaults?: KeyDefaults;
  /** The user that the key was made for: the label `_user`, whatever a request says. */
  readonly userId?: string;
  /** The ids of the keys whose limits hold for its requests as well, because they made it; the outermost first. */
  readonly sharesLimitsOf?: readonly string[];
}

/**
 * The kind of call. `complete` continues a text, `count` counts the tokens of a conversation, `moderate` says whether content is
 * harmful, and `ocr` reads documents; `opaque` is everything that the gateway does not model: it is passed through.
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

/** The operation and the dialect of a request, as its path says them. */
export interface Route {
  readonly operation: Operation;
  /**
   * The client's dialect. With `opaque` the path is one of its API, and is passed through only to providers that speak
   * the dialect; an `opaque` route without a dialect is passed through to any.
   */
  readonly dialect?: string;
  /** The model that the path names, percent-decoded; absent if the body names it. */
  readonly model?: string;
  /** The model that the path names and the body is to have. */
  readonly bodyModel?: string;
  /** Whether requests may be forms, of which the dialect reads the fields. */
  readonly hasForms?: true;
  /** Whether the path asks for a stream; absent if the body's `stream` says so. */
  readonly stream?: boolean;
  /** The framing of streams to this client; the dialect's own if absent. */
  readonly framing?: FramingId;
  /** An endpoint of the control plane, which no plan serves. */
  readonly isControl?: true;
  /** A path in the storage of the provider's cloud, where files of its jobs are. Only requests of plugins have it. */
  readonly isStorage?: true;
  /** The origin of an address that the provider signed, of which the path is the rest: its requests have no credential. */
  readonly signedOrigin?: string;
}

/**
 * The client's request. `path` is the part after the gateway's `/v1`, with its query, from which the client's credential
 * was removed.
 */
export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/** The settings that the caller's own headers request; it overrides the config at every target. */
export interface CallerOverrides {
  /** `x-gw-provider`. */
  readonly provider?: string;
  /** The token of `Authorization: Bearer`, or of the header or member of the query that the caller's dialect uses for its key. */
  readonly credential?: string;
  readonly customHost?: string;
  readonly forwardHeaders?: readonly string[];
  readonly timeoutMs?: number;
  /** `x-gw-deadline`: milliseconds for the whole request, from when it was received. */
  readonly deadlineMs?: number;
  /** `x-gw-max-cost`: US dollars for the whole request. */
  readonly maxCostUsd?: number;
  /** `x-gw-strict-llmv-compliance: false`. */
  readonly strict?: boolean;
  /** `x-gw-usage: true`: the answer says what it used, and which attempts were made. */
  readonly usage?: boolean;
  /** `x-gw-cache-force-refresh: true`: caches are not read, and what they have is replaced. */
  readonly cacheRefresh?: boolean;
  /** `x-gw-cache-namespace`: separates cached answers, in place of the metadata and of forwarded headers. */
  readonly cacheNamespace?: string;
  /** `x-gw-debug: false`: nothing of the request is kept, so that caches are not used. */
  readonly debug?: boolean;
  /** `x-gw-sensitive-headers`: names, in lower case, of headers whose values no log keeps. */
  readonly sensitiveHeaders?: readonly string[];
  /** Provider settings from the cloud headers, by config field name. */
  readonly settings?: JsonObject;
}

/** Labels that the gateway adds to a request while it serves it. */
export interface ServedLabels {
  /** The slug of the stored prompt that the last target sent; the metadata have it as `_prompt`. */
  prompt: string | undefined;
  /** When its answer was there to be sent, in milliseconds of a clock that never goes back; only where `completed` is tapped. */
  answeredAt?: number | undefined;
  /** Measures how long it waits for others; only where its caller, or a tap of `overheadMeasured`, wants to know. */
  waits?: Waits | undefined;
  /** For how many milliseconds it has waited for places at targets; only where targets have limits, and it has waited. */
  queuedMs?: number | undefined;
  /** Settles when its checks in the background have ended, which may be after its answer; only where it has some. */
  background?: Promise<unknown> | undefined;
}

/** A virtual model that a request named: its plan sets the models that are called. */
export interface NamedVirtualModel {
  /** As the client wrote it. */
  readonly name: string;
  /** The name of the config, or the model, that it stands for. */
  readonly standsFor: string;
}

/** The plan that serves a request. */
export interface ServingPlan {
  readonly routing: RoutingPlan;
  /** `name@hash`, as in `x-gw-plan`. */
  readonly label: string;
  /** Whether it came with the request: its names are then the caller's, and there is no end of them. */
  readonly isCallers?: true;
}

/**
 * The body that is sent in place of the request's own where one saved provider serves it: that has what the body
 * repeats.
 */
export interface OwnForm {
  /** The saved provider or virtual key. */
  readonly slug: string;
  readonly body: JsonObject;
  /** The same as text. */
  readonly bytes: Uint8Array;
}

/** A request whose answer is kept, or that continues one that is. */
export interface KeptExchange {
  /** The saved provider or virtual key that has what the request continues: groups prefer it where they may call it. */
  readonly prefers?: string;
  readonly ownForm?: OwnForm;
  /**
   * Whether it makes something of its own, and with which account it was made is noted: where a target has keys of several
   * accounts, any of them will do, unless the request names what one of them has.
   */
  readonly isNew?: true;
}

/** The request that a mirror copied. */
export interface CopiedRequest {
  readonly traceId: string;
  /** The node that the mirror belongs to. */
  readonly path: JsonPointer;
  /** The text of the answer that its client was given; undefined where nothing compares with it, or it has none. */
  readonly answerText?: string | undefined;
}

/** One request passing through a plan. */
export interface Exchange {
  readonly traceId: string;
  readonly principal: Principal;
  /** Names, in lower case, of the client's headers that contained its service key: they were removed. */
  readonly withheld?: readonly string[] | undefined;
  /**
   * Names, in lower case, of the client's headers that were removed because they are for this gateway or for another
   * recipient: the credentials of its dialect, and signatures of AWS.
   */
  readonly removed?: readonly string[] | undefined;
  readonly route: Route;
  readonly request: ClientRequest;
  readonly overrides: CallerOverrides;
  /** Absent where nothing reads them. */
  readonly labels?: ServedLabels;
  /** Undefined until it is chosen, and where none is. */
  readonly plan?: ServingPlan | undefined;
  /** Undefined if the request named none, or something else chose its plan. */
  readonly virtualModel?: NamedVirtualModel | undefined;
  /**
   * The facts that conditions see: metadata, the body's params (parsed on first access; throws `malformed-body`), what its
   * virtual model stands for, and the path.
   */
  readonly facts: Facts;
  /** The body as a JSON object, parsed once on first access; throws the `GatewayError` `malformed-body`. */
  json(): JsonObject;
  /** The literal secrets that came with this request's config, by slot. */
  readonly secrets: readonly string[];
  /** Determines all random draws of this request. */
  readonly seed: number;
  /** When the request began, in milliseconds on the gateway's monotonic clock; absent where nothing measures. */
  readonly startedAt?: number;
  readonly trail: TrailEvent[];
  /** The target of the request line, with its query; absent where no client has sent one. */
  readonly url?: string;
  /** The body as a JSON object, if something has read it. */
  readonly readBody?: JsonObject | undefined;
  /** The model that a form names which is passed through, null if it names none; undefined where nothing has read it. */
  readonly formModel?: string | null | undefined;
  /** Absent if the answer is not kept: then nobody asks who made it. */
  readonly kept?: KeptExchange | undefined;
  /** False for what the gateway asks for itself, which no limit counts or refuses. */
  readonly isCounted?: boolean;
  /** Whether a plugin has dispatched it, which chose its path; false if absent. */
  readonly isDispatched?: boolean;
  /**
   * The request that this one is a copy of: nobody waits for its answer, and it is no request of a client. Absent for all
   * others.
   */
  readonly mirrorOf?: CopiedRequest | undefined;
  /** Cancelled when the client leaves. */
  readonly cancellation: Cancellation;
}
