import type { PromptKind } from '../config/saved.ts';
import type { SavedTls } from '../config/saved-tls.ts';
import { isJsonObject, isTexts, type Json, type JsonObject } from '../json/json.ts';

/** The stored prompt that a target sends instead of the client's messages. */
export interface TargetPrompt {
  /** The reference in the config: `greeting`, `greeting@12`. */
  readonly reference: string;
  /** The id of the version that it named when the plan was compiled. */
  readonly versionId: string;
  readonly kind: PromptKind;
}

const isPrompt = (value: unknown): value is TargetPrompt =>
  isJsonObject(value) &&
  typeof value.reference === 'string' &&
  typeof value.versionId === 'string' &&
  (value.kind === 'chat' || value.kind === 'text');

/** The members of TLS settings that are references. */
export const tlsReferences = ['ca', 'cert', 'key', 'passphrase'] as const;

const tlsNames: ReadonlySet<string> = new Set([...tlsReferences, 'server_name']);
const tlsReference = /^\$\{(?:env|file|saved):[^{}]+\}$/;

/** Whether a value is TLS settings. A private key is never in a plan: everything except the name must be a reference. */
const isTls = (value: unknown): value is SavedTls =>
  isJsonObject(value) &&
  Object.entries(value).every(
    ([name, text]) =>
      tlsNames.has(name) && typeof text === 'string' && (name === 'server_name' || tlsReference.test(text)),
  ) &&
  (value.cert === undefined) === (value.key === undefined) &&
  (value.passphrase === undefined || value.key !== undefined);

/** The types of setting values, by the names that rows use. */
interface ValueOf {
  readonly prompt: TargetPrompt;
  readonly boolean: boolean;
  readonly number: number;
  readonly object: JsonObject;
  readonly text: string;
  readonly texts: readonly string[];
  readonly tls: SavedTls;
}

/** A setting that every gateway of the first format supports. */
interface FirstSetting {
  readonly value: keyof ValueOf;
  readonly feature: null;
  /** The value if the config has none. Without a default, the target then has no such member. */
  readonly default?: Json;
}

/** A later setting. It has no default, so that older plans stay valid; the linker defines what applies if it is absent. */
interface LaterSetting {
  readonly value: keyof ValueOf;
  /** The plan feature that a gateway must know to run a plan with a target that has the setting. */
  readonly feature: string;
  readonly default?: never;
}

type TargetSetting = FirstSetting | LaterSetting;

/** The settings that a target copies unchanged from its config, or from its saved provider, by their names in plans. */
const targetSettings = {
  /** Milliseconds for one attempt. */
  timeoutMs: { value: 'number', feature: null },
  /** Whether a response omits everything that the reference format does not have. */
  strict: { value: 'boolean', default: true, feature: null },
  /** The models that a saved provider may be called with: see `AllowedModels`. */
  allowedModels: { value: 'object', feature: 'allowed-models' },
  /** The deployments that a config names for a saved provider. They are called whatever model a request names. */
  chosenModels: { value: 'texts', feature: 'chosen-models' },
  /** The prices that a saved provider has for its models: see `SavedPrices`. */
  prices: { value: 'object', feature: 'saved-prices' },
  /** The stored prompt of `prompt_id`. */
  prompt: { value: 'prompt', feature: 'stored-prompts' },
  /** The TLS of a saved provider's host. */
  tls: { value: 'tls', feature: 'provider-tls' },
} as const;

type Table = typeof targetSettings;

// Older gateways would ignore a setting without a feature and run the plan anyway.
targetSettings satisfies {
  readonly [Name in keyof Table]: Name extends 'timeoutMs' | 'strict' ? FirstSetting : LaterSetting;
};

export type TargetSettingName = keyof Table;
type ValueIn<Name extends TargetSettingName> = ValueOf[Table[Name]['value']];
type Defaulted = { [Name in TargetSettingName]: 'default' extends keyof Table[Name] ? Name : never }[TargetSettingName];

/** The members of a target that `targetSettings` lists. */
export type TargetSettings = { readonly [Name in Defaulted]: ValueIn<Name> } & {
  readonly [Name in Exclude<TargetSettingName, Defaulted>]?: ValueIn<Name>;
};

/** The rows with their names. */
export const targetSettingRows: readonly (TargetSetting & { readonly name: TargetSettingName })[] = (
  Object.keys(targetSettings) as TargetSettingName[]
).map((name) => ({ name, ...targetSettings[name] }));

/** The plan features that settings of targets have. */
export const targetSettingFeatures: ReadonlySet<string> = new Set(
  targetSettingRows.flatMap(({ feature }) => feature ?? []),
);

const values: {
  readonly [Word in keyof ValueOf]: { readonly is: (value: unknown) => boolean; readonly words: string };
} = {
  boolean: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  number: { is: (value) => typeof value === 'number', words: 'a number' },
  object: { is: isJsonObject, words: 'an object' },
  prompt: { is: isPrompt, words: 'an object with "reference", "versionId" and "kind"' },
  text: { is: (value) => typeof value === 'string', words: 'a text' },
  texts: { is: isTexts, words: 'a list of texts' },
  tls: { is: isTls, words: 'an object with "ca", "cert", "key" and "passphrase", each a reference, and "server_name"' },
};

/** Finds the first invalid setting of a target, and the type that it must have. */
export const targetSettingError = (
  target: JsonObject,
): { readonly name: TargetSettingName; readonly expected: string } | undefined => {
  for (const { name, value, default: fallback } of targetSettingRows) {
    const { is, words } = values[value];
    const isLeftOut = target[name] === undefined && fallback === undefined;
    if (!isLeftOut && !is(target[name])) return { name, expected: words };
  }
  return undefined;
};

/** Lists the plan features that the settings of a target require. */
export const targetFeatures = (target: TargetSettings): readonly string[] =>
  targetSettingRows.flatMap(({ name, feature }) => (feature === null || target[name] === undefined ? [] : [feature]));
