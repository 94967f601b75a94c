import type { JsonObject } from '../json/json.ts';
import type { SavedPrices } from '../usage/model-price.ts';
import type { DeclaredLabels } from './declared-labels.ts';
import type { SavedTls } from './saved-tls.ts';
import type { VirtualModels } from './virtual-models.ts';

/** The values that the gateway file saves for use in configs. */
export interface Saved {
  /** By slug: what `provider: "@slug"` and the model `@slug/model` stand for. */
  readonly providers: { readonly [slug: string]: SavedProvider };
  /** By id: what `virtual_key` and `x-gw-virtual-key` stand for. */
  readonly virtualKeys: { readonly [id: string]: SavedProvider };
  /** By slug: guardrail objects for a string in `input_guardrails` or `output_guardrails`, or an `id` without checks. */
  readonly guardrails: { readonly [slug: string]: JsonObject };
  /** By slug and id: the saved providers and virtual keys that cannot be used now; absent if there are none. */
  readonly unusable?: { readonly [name: string]: UnusableProvider };
  /** The virtual models that stand for configs; absent if there are none. */
  readonly models?: VirtualModels;
  /** The labels that requests may have; absent if none are declared. */
  readonly labels?: DeclaredLabels;
  /** The prompts that `prompt_id` can name; absent if there is no store. */
  readonly prompts?: SavedPrompts;
}

/** A chat prompt has messages; a text prompt is the prompt of a completion. */
export type PromptKind = 'chat' | 'text';

/** The stored prompts of a tenant, as far as a config needs them. */
export interface SavedPrompts {
  /** The slugs of all of them. */
  readonly slugs: readonly string[];
  /** The version that each reference names, such as `greeting` and `greeting@12`. References that name none are omitted. */
  readonly found: { readonly [reference: string]: SavedPrompt };
  /** Of a config that was saved when they were there, one that is gone is a target which answers so, and no mistake. */
  readonly mayBeGone?: true;
}

/** A version of a stored prompt. */
export interface SavedPrompt {
  /** The slug of the prompt, whichever of its names was used. */
  readonly slug: string;
  readonly versionId: string;
  /** The saved virtual key, or the `@slug` of the saved provider, to which it is sent. */
  readonly virtualKey: string;
  /** Whether it is rendered to messages, or to the prompt of a completion. */
  readonly kind: PromptKind;
}

/** A provider with its credential (references only) and settings, by config field name. */
export interface SavedProvider {
  readonly provider: string;
  readonly credential?: { readonly [field: string]: string };
  /** Several API keys instead of the credential; at least one. */
  readonly keys?: readonly SavedKey[];
  /** Whether the keys belong to one account or to several; one if absent. */
  readonly accounts?: 'one' | 'several';
  /** Provider settings, and `custom_host`. */
  readonly settings?: JsonObject;
  /** The TLS settings of its host; if absent, those of all other hosts. */
  readonly tls?: SavedTls;
  /** The models that may be called; all if absent. */
  readonly models?: AllowedModels;
  /** The prices of its models; if absent, those that apply elsewhere. */
  readonly prices?: SavedPrices;
}

/** A saved provider or virtual key that cannot be used now. */
export interface UnusableProvider {
  readonly what: 'saved provider' | 'virtual key';
  /** The reason, as the end of a sentence about it: `expired at 2026-01-01T00:00:00.000Z`. */
  readonly why: string;
  /** The remedy, as the end of a sentence: `set a later "expires_at"`. */
  readonly remedy: string;
}

/** One of several API keys (a reference). */
export interface SavedKey {
  readonly api_key: string;
  /** 1 if absent. */
  readonly weight?: number;
}

/** The secrets with which a saved provider is called. */
export const savedSecrets = ({ credential = {}, keys = [] }: SavedProvider): readonly string[] => [
  ...Object.values(credential),
  ...keys.map(({ api_key: key }) => key),
];

/** Models by their names at the provider: either only these may be called, or all except these. */
export type AllowedModels = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** The placeholder for a secret in an example of an environment, until it is replaced. */
export const placeholderSecret = 'replace-me';

export const nothingSaved: Saved = { providers: {}, virtualKeys: {}, guardrails: {} };
