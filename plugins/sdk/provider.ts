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

/** One upstream service: which dialects it speaks, where, and how it authenticates callers. */
export interface Provider {
  readonly id: string;
  /** Other names that configs may use. */
  readonly aliases?: readonly string[];
  /** The vendor's documentation of what this row says. */
  readonly documentation: string;
  /** Without a slash at its end; a function of the settings throws an `Error` that names a missing setting. If absent, `custom_host` is required. */
  readonly baseUrl?: string | ((settings: JsonObject) => string);
  readonly credential: 'required' | 'optional' | 'none';
  /** Config fields that it reads beside the credential; other provider settings have no effect. */
  readonly settings?: readonly string[];
  /** Config fields of its credential; `['api_key']` if absent. */
  readonly credentialFields?: readonly string[];
  /** Dialect id → endpoint. Other dialects are translated to the first one with conversations. */
  readonly speaks: { readonly [dialect: string]: Endpoint };
  /** Headers of every request, made once for a target. */
  headers(credential: Credential, settings: JsonObject): RawHeaders;
  /** Signs the final request; runs on each attempt. */
  authorize?(request: UpstreamRequest, credential: Credential, scope: Scope): Promise<UpstreamRequest>;
  /** The upstream path of a passed-through request; by default the path as it came. */
  passThrough?(path: string, settings: JsonObject): string;
  /** Parameters that it does not accept, by wire name: they are dropped from translated requests. */
  readonly drop?: readonly string[];
  /** The prefixes of its model names, if it serves only its own: a config that requests the model of another such provider gets a warning. */
  readonly models?: readonly string[];
  /** Client headers that are always forwarded to it when the client speaks its dialect, in lower case: `anthropic-beta`. */
  readonly clientHeaders?: readonly string[];
  /** A provider that answers in process and has no address; made once, with the clock to wait by. */
  readonly inProcess?: InProcess;
}

/** Returns the provider unchanged, with its type checked. */
export const defineProvider = (provider: Provider): Provider => provider;
