import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeftOut } from '../dialect/answer-edit.ts';
import type { PromptCacheRules } from '../dialect/cache-hints.ts';
import type { LackedContent } from '../dialect/dialect.ts';
import type { EmbeddingForm } from '../dialect/embedding-form.ts';
import type { RawHeaders, Scope, UpstreamRequest } from '../http/http.ts';
import type { InProcess } from '../http/in-process.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import type { ChangesAccount } from './account-changes/passed-request.ts';

/** A target's secrets by config field name: `api_key`, `cloudc_secret_access_key`, … */
export interface Credential {
  readonly [field: string]: string | undefined;
}

/** The call for which a provider makes the path of an endpoint. */
export interface EndpointCall {
  readonly settings: JsonObject;
  /** The model, after overrides. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /**
   * The path that the client called, after `/v1`, where it speaks the same dialect: for a provider that has several versions of
   * it. Absent: the request was translated.
   */
  readonly path?: string;
}

/**
 * The path and query after the base URL. A text may contain `{model}`, which is filled in percent-encoded, so that a
 * model's name is always one segment. A function is for paths that also depend on settings or on whether a stream is
 * requested; it encodes what it fills in, and throws an `Error` that names what is missing.
 */
export type Endpoint = string | ((call: EndpointCall) => string);

/** The whole answer to a request that a provider's `authorize` sent. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
}

/** The values that `authorize` may use. */
export interface AuthorizeContext {
  readonly credential: Credential;
  readonly settings: JsonObject;
  readonly scope: Scope;
  /** Whether an operator chose this target: only then may it use what belongs to the machine, such as its identity. */
  readonly isOperators: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Sends a request of its own, for a token; within the limits of egress and of the attempt's time. Rejects if there is no
   * answer, and if the service answers 429 or 5xx.
   */
  send(request: UpstreamRequest): Promise<WholeAnswer>;
  /**
   * A value that is made once and used until shortly before it expires (milliseconds since the epoch). Calls with the same
   * key wait for the same value; a failure is not kept. Values are never shared with another credential.
   */
  cached<Value>(
    key: string,
    make: () => Promise<{ readonly value: Value; readonly expiresAt: number }>,
  ): Promise<Value>;
}

/** See `Provider.nextAddress`. */
export interface NextAddress {
  /** In lower case. */
  readonly header: string;
  /** The path below the gateway's root for one at the provider; undefined: the address stays as it is. */
  findPath(path: string, basePath: string): string | undefined;
}

/** A fact that a row states about a service. */
export type RowFact =
  | 'address'
  | 'operations'
  | 'closed'
  | 'drop'
  | 'developers'
  | 'lacks'
  | 'errors'
  | 'stream_options';

/** One upstream service: which dialects it speaks, where, and how it authenticates callers. */
export interface Provider {
  readonly id: string;
  /** Other names that configs may use. */
  readonly aliases?: readonly string[];
  /** Its name in the price lists of `@pydantic/genai-prices`; its id if absent. */
  readonly listedAs?: string;
  /** The address of the vendor's documentation of what this row says; absent for a provider that no vendor has. */
  readonly documentation?: string;
  /** The facts of this row that no documentation confirms; absent if all are documented. */
  readonly unconfirmed?: readonly RowFact[];
  /** The day on which the vendor closed the service: `2026-07-30`. */
  readonly closed?: string;
  /** Without a slash at its end; a function of the settings throws an `Error` that names a missing setting. If absent, `custom_host` is required. */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  /** The end of the path that a `custom_host` must have, where it is always the same: `/openai`. Without a slash at its end. */
  readonly hostPath?: string;
  readonly credential: 'required' | 'optional' | 'none';
  /** Config fields that it reads beside the credential; other provider settings have no effect. */
  readonly settings?: readonly string[];
  /** Whether targets with these settings need no credential, since they use the identity of the operator's machine. */
  usesMachineIdentity?(settings: JsonObject): boolean;
  /**
   * The schema of further settings, which saved providers may have in the gateway file under `settings`. Wherever the
   * provider gets settings, their defaults are filled in. Elsewhere only the defaults hold.
   */
  readonly ownSettings?: ParameterSchema;
  /** Config fields of its credential; `['api_key']` if absent. */
  readonly credentialFields?: readonly string[];
  /**
   * Dialect id → endpoint. Other dialects are translated to the first one with conversations. Empty for a service of which all
   * paths are passed through, which says by `changesAccount` which of them may be.
   */
  readonly speaks: { readonly [dialect: string]: Endpoint };
  /**
   * Dialect id → the path that its endpoint, which must be a text, is below in place of the path of the base URL, where that
   * has each dialect at a place of its own: `/anthropic/v1`. Without a slash at its end.
   */
  readonly basePaths?: { readonly [dialect: string]: string };
  /** The dialects of `speaks` that it speaks with a model, for a provider that serves models of several makers; all if absent. */
  dialectsOf?(model: string | undefined, settings: JsonObject): readonly string[];
  /**
   * The model's name in a body, if it differs from that in configs. A request that names none is sent with the first of
   * `settingsModels`.
   */
  bodyModel?(model: string, settings: JsonObject): string;
  /**
   * The deployments that settings name, the one of requests that name no model first: one of them is called, whatever model a
   * request names. Absent: settings name none.
   */
  settingsModels?(settings: JsonObject): readonly string[];
  /** Headers of every request, made once for a target. */
  headers(credential: Credential, settings: JsonObject): RawHeaders;
  /**
   * Signs the final request; runs on each attempt. An `Error` that it throws is reported as the target's failure (401),
   * with its message; a `GatewayError` is reported as it is. The request may be given another origin of the same service.
   */
  authorize?(request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest>;
  /**
   * Names who can verify the signatures and read the encrypted reasoning of its answers. Targets of the same name accept
   * each other's; absent: only the same provider with the same credential. `fingerprint` stands for the credential.
   */
  stateScope?(target: { readonly fingerprint: string; readonly model: string | undefined }): string;
  /**
   * The origin of the storage of its cloud, where files of its jobs are; its requests have `isStorage`, and a target with a
   * `custom_host` has it there. Throws an `Error` that names a missing setting. Absent: it has none.
   */
  storageOrigin?(settings: JsonObject): string;
  /**
   * The origins of addresses that it signs for files of its jobs, which are asked without a credential and not signed again; those
   * of a target with a `custom_host` may be anywhere that callers may name. Absent: it signs none.
   */
  readonly signedOrigins?: readonly string[];
  /** The upstream path of a passed-through request; by default the path as it came. */
  passThrough?(path: string, settings: JsonObject): string;
  /**
   * The whole upstream path of a passed-through request that is beside the base URL's path, and not below it; undefined for
   * all others. `path` is what `passThrough` gives, and `basePath` has no slash at its end.
   */
  pathBeside?(path: string, basePath: string): string | undefined;
  /**
   * A header of passed-through answers that is an address at its own origin, where clients go on with the credential that they
   * have: they get it as an address of the gateway, which alone knows that credential. Absent: it has none.
   */
  readonly nextAddress?: NextAddress;
  /**
   * Whether a request that is passed through changes what belongs to all who share its account, such as models and deployments,
   * or administers it: with a credential of the gateway that is no call of a model. What is not known to be one is a change.
   * Absent: by the paths of APIs like OpenAI's (`changesAccount`).
   */
  readonly changesAccount?: ChangesAccount;
  /**
   * Parameters that it does not accept, by wire name: they are dropped from translated requests, and reported as losses; so they are
   * where the client speaks a dialect of `adaptsOwn`. A function may distinguish the dialects that it speaks; without one it says what
   * conversations may not have.
   */
  readonly drop?: readonly string[] | ((settings: JsonObject, dialect?: string) => readonly string[]);
  /**
   * Dialect id → content that it does not accept there: it is left out of requests, and reported as a loss. Only `chat` reads it: each of
   * the other dialects is that of one maker.
   */
  readonly lacks?: { readonly [dialect: string]: readonly LackedContent[] };
  /** Members that it requires or names differently in the bodies of a dialect, applied to translated requests. */
  adapt?(body: JsonObject, dialect: string, settings: JsonObject): JsonObject;
  /** The dialects whose requests need `adapt` even if the client wrote them in the same dialect. */
  readonly adaptsOwn?: readonly string[];
  /**
   * Dialect id → texts that begin with a quote, one of which is in each request that needs `adapt` although the client wrote it in
   * that dialect: all others go on as received. Parameters of `drop` stay in such a request.
   */
  readonly adaptsMarked?: { readonly [dialect: string]: readonly string[] };
  /**
   * Whether its error answers may have another form than that of the dialect it speaks: those are rewritten, for clients of
   * that dialect too.
   */
  readonly errorsVary?: boolean;
  /**
   * Dialect id → what it leaves out of its answers there. It is completed for clients of that dialect, whose answers otherwise
   * go on as received; where answers are translated, their decoder does without it.
   */
  readonly leavesOut?: { readonly [dialect: string]: readonly LeftOut[] };
  /** Whether its streams have token counts without being asked, so that the gateway does not add a request for them. */
  readonly alwaysReportsUsage?: boolean;
  /** Its form of OpenAI's embeddings, in which clients of that dialect are served too. Absent: OpenAI's. */
  readonly embeddings?: EmbeddingForm;
  /**
   * The most texts that one request for vectors may have, which may depend on the model: the gateway sends a longer list as
   * several requests. Absent or undefined: its documentation states no limit.
   */
  readonly maxTexts?: number | ((model: string | undefined) => number | undefined);
  /** The members of conversations that it does not carry of the dialects it speaks. */
  readonly losses?: readonly ProviderLoss[];
  /** The prefixes of its model names, if it serves only its own: a config that requests the model of another such provider gets a warning. */
  readonly models?: readonly string[];
  /**
   * The rules for caching requests to a model, if they hint at it. Undefined where hints are refused, where they have
   * no effect, and for a provider that caches by itself.
   */
  promptCache?(model: string | undefined): PromptCacheRules | undefined;
  /** Client headers that are always forwarded to it when the client speaks its dialect, in lower case: `anthropic-beta`. */
  readonly clientHeaders?: readonly string[];
  /** A provider that answers in process and has no address; made once, with the clock to wait by. */
  readonly inProcess?: InProcess;
}

/** See `Loss` of dialects. */
export interface ProviderLoss {
  readonly member: string;
  readonly why: string;
}

/** Returns the provider unchanged, with its type checked. */
export const defineProvider = (provider: Provider): Provider => provider;
