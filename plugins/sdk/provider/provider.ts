import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeftOut } from '../dialect/answer-edit.ts';
import type { PromptCacheRules } from '../dialect/cache-hints.ts';
import type { LackedContent, ReasoningMember } from '../dialect/dialect.ts';
import type { EmbeddingForm } from '../dialect/embedding-form.ts';
import type { RawHeaders, Scope, UpstreamRequest } from '../http/http.ts';
import type { InProcess } from '../http/in-process.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import type { ChangesAccount } from './account-changes/passed-request.ts';

/** The secrets of a target, by config field: `api_key`, `cloudc_secret_access_key`, … */
export interface Credential {
  readonly [field: string]: string | undefined;
}

/** The call that a provider determines the path of an endpoint for. */
export interface EndpointCall {
  readonly settings: JsonObject;
  /** The model, after overrides. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /**
   * The path that the client called, after `/v1`, if it speaks the same dialect; for providers with several versions of it.
   * Absent if the request was translated.
   */
  readonly path?: string;
}

/**
 * The path and query after the base URL. In a text, `{model}` is replaced by the percent-encoded model, so that a name is always
 * one segment. Use a function if the path also depends on settings or on whether a stream is requested. The function must encode
 * what it fills in, and throw an `Error` that names what is missing.
 */
export type Endpoint = string | ((call: EndpointCall) => string);

/** The whole answer to a request that `authorize` sent. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
}

/** The values and functions that `authorize` can use. */
export interface AuthorizeContext {
  readonly credential: Credential;
  readonly settings: JsonObject;
  readonly scope: Scope;
  /** Whether an operator chose this target. Only then may it use what belongs to the machine, such as its identity. */
  readonly isOperators: boolean;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Sends a request of the provider's own, for example for a token, within the egress rules and the time of the attempt. Rejects
   * if there is no answer, or if the service answers 429 or 5xx. It also rejects, as it does for these, if `isTemporary` returns
   * true for an answer with another status: some services report a rate limit by a code in the body.
   */
  send(request: UpstreamRequest, isTemporary?: (answer: WholeAnswer) => boolean): Promise<WholeAnswer>;
  /**
   * Returns a value that is created once and used until shortly before it expires (`expiresAt` is in milliseconds since the
   * epoch). Concurrent calls with the same key share one value; failures are not kept. Values are never shared between
   * credentials.
   */
  cached<Value>(
    key: string,
    make: () => Promise<{ readonly value: Value; readonly expiresAt: number }>,
  ): Promise<Value>;
}

/** See `Provider.nextAddress`. */
export interface NextAddress {
  /** The name of the header in lower case. */
  readonly header: string;
  /** Returns the path below the gateway's root for a path at the provider, or undefined if the address is not changed. */
  findPath(path: string, basePath: string): string | undefined;
}

/** A fact that a provider's description states about the service. */
export type RowFact =
  | 'address'
  | 'operations'
  | 'closed'
  | 'drop'
  | 'developers'
  | 'lacks'
  | 'errors'
  | 'stream_options';

/** One upstream service: which dialects it speaks, at which paths, and how it authenticates callers. */
export interface Provider {
  readonly id: string;
  /** Other ids that configs may use. */
  readonly aliases?: readonly string[];
  /** The name in the price lists of `@pydantic/genai-prices`; the id if absent. */
  readonly listedAs?: string;
  /** The URL of the vendor's documentation for these facts. Absent for a provider without a vendor. */
  readonly documentation?: string;
  /** The facts that no documentation confirms. Absent if all are documented. */
  readonly unconfirmed?: readonly RowFact[];
  /** The date on which the vendor closed the service: `2026-07-30`. */
  readonly closed?: string;
  /**
   * The base URL, without a trailing slash. A function of the settings throws an `Error` that names a missing setting. If absent,
   * `custom_host` is required.
   */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  /** The path that every `custom_host` must end with, if it is always the same: `/openai`. Without a trailing slash. */
  readonly hostPath?: string;
  readonly credential: 'required' | 'optional' | 'none';
  /** The config fields that the provider reads in addition to the credential. Other provider settings have no effect. */
  readonly settings?: readonly string[];
  /** Whether targets with these settings need no credential, because they use the identity of the operator's machine. */
  usesMachineIdentity?(settings: JsonObject): boolean;
  /**
   * The schema of additional settings that saved providers can have under `settings` in the gateway file. Their defaults are
   * filled in wherever the provider receives settings. Elsewhere, only the defaults apply.
   */
  readonly ownSettings?: ParameterSchema;
  /** The config fields of the credential; `['api_key']` if absent. */
  readonly credentialFields?: readonly string[];
  /**
   * Maps dialect ids to endpoints. Other dialects are translated to the first one with conversations. Empty for a service whose
   * paths are all passed through; `changesAccount` then decides which of them are allowed.
   */
  readonly speaks: { readonly [dialect: string]: Endpoint };
  /**
   * Maps dialect ids to the path below which their endpoint is, instead of the path of the base URL, for services that serve each
   * dialect at a separate place: `/anthropic/v1`. The endpoint must be a text. Without a trailing slash.
   */
  readonly basePaths?: { readonly [dialect: string]: string };
  /**
   * Returns the dialects of `speaks` that are available for a model, for a provider that serves models of several makers. If
   * absent, all are.
   */
  dialectsOf?(model: string | undefined, settings: JsonObject): readonly string[];
  /**
   * Returns the model's name in a body, if it differs from the one in configs. For a request that names no model, it is called
   * with the first of `settingsModels`.
   */
  bodyModel?(model: string, settings: JsonObject): string;
  /**
   * Returns the deployments that settings name; the first is used for requests that name no model. One of them is called,
   * whatever model a request names. If absent, settings name none.
   */
  settingsModels?(settings: JsonObject): readonly string[];
  /** Returns the headers of every request. Called once for each target. */
  headers(credential: Credential, settings: JsonObject): RawHeaders;
  /**
   * Signs the final request. Runs on each attempt. An `Error` that it throws is reported as a failure of the target (401) with
   * its message; a `GatewayError` is reported unchanged. The returned request may have another origin of the same service.
   */
  authorize?(request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest>;
  /**
   * Returns a name for those who can verify the signatures and decrypt the encrypted reasoning in the provider's answers. Targets
   * with the same name accept each other's. If absent, only the same provider with the same credential can. `fingerprint`
   * identifies the credential.
   */
  stateScope?(target: { readonly fingerprint: string; readonly model: string | undefined }): string;
  /**
   * Returns the origin of the storage of the provider's cloud, which has the files of its jobs. Requests to it have `isStorage`.
   * For a target with a `custom_host`, the storage is at that host. Throws an `Error` that names a missing setting. If absent,
   * there is no storage.
   */
  storageOrigin?(settings: JsonObject): string;
  /**
   * The origins of URLs that the provider signs for files of its jobs. Requests to them are sent without a credential and are not
   * signed again. For a target with a `custom_host`, such URLs may be on any host that callers may name. If absent, the provider
   * signs none.
   */
  readonly signedOrigins?: readonly string[];
  /** Whether it has sessions of OpenAI's Realtime API at `/realtime`. If absent, requests to open one are refused. */
  readonly hasRealtime?: true;
  /** Returns the upstream path of a passed-through request. If absent, the path is not changed. */
  passThrough?(path: string, settings: JsonObject): string;
  /**
   * Returns the complete upstream path of a passed-through request that is not below the path of the base URL but next to it, or
   * undefined for all other requests. `path` is the result of `passThrough`, and `basePath` has no trailing slash.
   */
  pathBeside?(path: string, basePath: string): string | undefined;
  /**
   * A header of passed-through answers with a URL at the provider's own origin, where clients continue with the credential that
   * they have. Clients receive it as a URL of the gateway, because only the gateway knows the credential. If absent, there is no
   * such header.
   */
  readonly nextAddress?: NextAddress;
  /**
   * Whether a passed-through request changes what is shared by everyone who uses the account, such as models and deployments, or
   * administers the account. With a credential of the gateway, such a request is not a call of a model. Any request not known to
   * be one counts as a change. If absent, decided by the paths of APIs like OpenAI's (`changesAccount`).
   */
  readonly changesAccount?: ChangesAccount;
  /**
   * Parameters that the provider does not accept, by wire name. They are dropped from translated requests, and from requests in a
   * dialect of `adaptsOwn`, and reported as losses. A function can distinguish dialects; called without one, it returns what
   * conversations cannot have.
   */
  readonly drop?: readonly string[] | ((settings: JsonObject, dialect?: string) => readonly string[]);
  /**
   * Maps dialect ids to content that the provider does not accept in them. It is removed from requests and reported as a loss.
   * Only `chat` uses this, because each of the other dialects belongs to one maker.
   */
  readonly lacks?: { readonly [dialect: string]: readonly LackedContent[] };
  /**
   * The member of a chat's messages in which the provider takes back the reasoning of its earlier answers. Some services refuse a
   * call without the reasoning before it. If absent, reasoning is sent back only in forms of the dialect that prove it.
   */
  readonly reasoningMember?: ReasoningMember;
  /** Whether a file in a chat can be an address, which the provider loads: `file_data` with `https://…`. If absent, it cannot. */
  readonly loadsFiles?: true;
  /** Adapts translated requests to members that the provider requires or names differently. */
  adapt?(body: JsonObject, dialect: string, settings: JsonObject): JsonObject;
  /** The dialects whose requests need `adapt` even if the client wrote them in that dialect. */
  readonly adaptsOwn?: readonly string[];
  /**
   * Maps dialect ids to texts, each starting with a quote, one of which occurs in every request that needs `adapt` although the
   * client wrote it in that dialect. All other requests are forwarded as received. Parameters of `drop` are kept in such
   * requests.
   */
  readonly adaptsMarked?: { readonly [dialect: string]: readonly string[] };
  /**
   * Whether error answers may have another form than that of their dialect. If so, they are rewritten, including for clients of
   * that dialect.
   */
  readonly errorsVary?: boolean;
  /**
   * Maps dialect ids to the members that the provider leaves out of answers in them. They are added for clients of that dialect,
   * whose answers are otherwise forwarded as received. If answers are translated, their decoder works without the members.
   */
  readonly leavesOut?: { readonly [dialect: string]: readonly LeftOut[] };
  /** Whether streams always contain token counts, so that the gateway need not request them. */
  readonly alwaysReportsUsage?: boolean;
  /**
   * The provider's variant of OpenAI's embeddings format, which is also used for clients of that dialect. If absent, OpenAI's
   * own.
   */
  readonly embeddings?: EmbeddingForm;
  /**
   * The maximum number of texts in one embeddings request, which may depend on the model. The gateway splits longer lists into
   * several requests. If absent or undefined, the documentation states no limit.
   */
  readonly maxTexts?: number | ((model: string | undefined) => number | undefined);
  /** The members of conversations that the provider does not support in its dialects. */
  readonly losses?: readonly ProviderLoss[];
  /**
   * The prefixes of model names, if the provider serves only its own models. A config that requests a model of another such
   * provider causes a warning.
   */
  readonly models?: readonly string[];
  /**
   * Returns the rules for caching prefixes, if requests to the model can mark them. Undefined if hints are rejected, have no
   * effect, or are unnecessary because the provider caches automatically.
   */
  promptCache?(model: string | undefined): PromptCacheRules | undefined;
  /** Client headers, in lower case, that are always forwarded if the client speaks the provider's dialect: `anthropic-beta`. */
  readonly clientHeaders?: readonly string[];
  /** For a provider that answers in process and has no address. Called once, with the clock to use for waiting. */
  readonly inProcess?: InProcess;
}

/** See `Loss` of dialects. */
export interface ProviderLoss {
  readonly member: string;
  readonly why: string;
}

/** Returns the provider unchanged, with its type checked. */
export const defineProvider = (provider: Provider): Provider => provider;

/** Returns how many texts a provider accepts in one request for a model. Undefined for any number. */
export const readMaxTexts = (
  { maxTexts }: Pick<Provider, 'maxTexts'>,
  model: string | undefined,
): number | undefined => (typeof maxTexts === 'function' ? maxTexts(model) : maxTexts);
