import type { JsonObject } from './json.ts';

/** The saved values of the gateway file, for use in configs. */
export interface Saved {
  /** By slug: what `provider: "@slug"` and the model `@slug/model` stand for. */
  readonly providers: { readonly [slug: string]: SavedProvider };
  /** By id: what `virtual_key` and `x-gw-virtual-key` stand for. */
  readonly virtualKeys: { readonly [id: string]: SavedProvider };
  /** By slug: guardrail objects for a string in `input_guardrails` or `output_guardrails`, or an `id` without checks. */
  readonly guardrails: { readonly [slug: string]: JsonObject };
}

/** A provider with its credential (references only) and settings, by config field name. */
export interface SavedProvider {
  readonly provider: string;
  readonly credential?: { readonly [field: string]: string };
  /** Provider settings, and `custom_host`. */
  readonly settings?: JsonObject;
  /** Which models may be called; absent: all. */
  readonly models?: AllowedModels;
}

/** Models by their names at the provider: no others, or all others. */
export type AllowedModels = { readonly only: readonly string[] } | { readonly except: readonly string[] };

export const nothingSaved: Saved = { providers: {}, virtualKeys: {}, guardrails: {} };
