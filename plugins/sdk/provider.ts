import type { JsonObject } from '../../schema/json.ts';
import type { RawHeaders, Scope, UpstreamRequest } from './http.ts';
import type { InProcess } from './in-process.ts';

/** A target's secrets by config field name: `api_key`, `cloudc_secret_access_key`, … */
export interface Credential {
  readonly [field: string]: string | undefined;
}

export interface EndpointCall {
  readonly settings: JsonObject;
  /** The body's model, after overrides. */
  readonly model: string | undefined;
  readonly stream: boolean;
}

/** The path and query after the base URL; a function where they depend on the call, which throws an `Error` naming what is missing. */
export type Endpoint = string | ((call: EndpointCall) => string);

/** One upstream service: which dialects it speaks and where, and how it knows its callers. */
export interface Provider {
  readonly id: string;
  /** Other names that configs may use. */
  readonly aliases?: readonly string[];
  /** Where the vendor documents what stands here. */
  readonly documentation: string;
  /** Without a slash at its end; a function of the settings, which throws an `Error` naming the setting that is missing. Absent: `custom_host` is needed. */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  readonly credential: 'required' | 'optional' | 'none';
  /** Config fields beside the credential that it reads; other provider settings have no effect. */
  readonly settings?: readonly string[];
  /** Config fields of its credential; `['api_key']` where absent. */
  readonly credentialFields?: readonly string[];
  /** Dialect id → where it is spoken. The first conversing one is what other dialects are translated to. */
  readonly speaks: { readonly [dialect: string]: Endpoint };
  /** Headers of every request, made once for a target. */
  headers(credential: Credential, settings: JsonObject): RawHeaders;
  /** Signs the final request; runs on each attempt. */
  authorize?(request: UpstreamRequest, credential: Credential, scope: Scope): Promise<UpstreamRequest>;
  /** The upstream path of a passed-through request; by default the path as it came. */
  passThrough?(path: string, settings: JsonObject): string;
  /** Parameters it does not take, by wire name: dropped from translated requests. */
  readonly drop?: readonly string[];
  /** How the names of its models begin, where it serves its own and no others: a config that asks it for the model of another such provider gets a warning. */
  readonly models?: readonly string[];
  /** Client headers that go to it unasked when the client speaks its dialect, in lower case: `anthropic-beta`. */
  readonly clientHeaders?: readonly string[];
  /** A provider that answers in process and has no address; made once, with the clock to wait by. */
  readonly inProcess?: InProcess;
}

/** A provider as it is, its type checked. */
export const defineProvider = (provider: Provider): Provider => provider;
