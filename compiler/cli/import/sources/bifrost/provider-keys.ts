import type { JsonObject } from '../../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { keyVariable } from '../../../../../schema/text/key-variable.ts';
import { azureHost } from '../../draft/azure-address.ts';
import { type Draft, toSlug } from '../../draft/draft.ts';
import { readRetries } from '../../draft/read-retries.ts';
import { type Sourced, SourceObject } from '../../draft/read-source.ts';
import { referredVariable } from '../../draft/references.ts';

/** A key of a provider of Bifrost, which may have a place of its own. */
interface ProviderKey {
  readonly pointer: JsonPointer;
  readonly label: string | undefined;
  /** Absent if the key has no value, for example if the identity of the machine is used. */
  readonly secret: string | undefined;
  readonly weight: number;
  /** The models that it is used for; undefined for all. */
  readonly models: readonly string[] | undefined;
  readonly settings: JsonObject;
  /** The place that the source states. Keys with the same place belong to one target. */
  readonly place: string;
}

/** A provider of Bifrost with its keys. */
export interface KeyedProvider {
  readonly provider: string;
  readonly keys: readonly ProviderKey[];
  /** The members that all of its targets have. */
  readonly common: JsonObject;
}

/** Reads a list of models; undefined if it allows all, as an empty list does in older versions. */
export const listedModels = (source: SourceObject, name: string): readonly string[] | undefined => {
  const models = source.texts(name);
  return models.length === 0 || models.includes('*') ? undefined : models;
};

/** Returns where a key of Azure is used. The address of a target is written out, not referred to. */
const readAzure = (azure: SourceObject, draft: Draft): JsonObject => {
  const endpoint = azure.text('endpoint');
  const version = azure.text('api_version');
  for (const name of azure.unread())
    draft.lose(
      azure.at(name),
      `"${name}" of azure_key_config has no counterpart.`,
      'See docs/reference/providers.md for the settings of azure-openai.',
    );
  const variable = endpoint === undefined ? undefined : referredVariable(endpoint);
  if (variable !== undefined)
    draft.lose(
      azure.at('endpoint'),
      `The endpoint is in the variable ${variable}, but only secrets can be references here.`,
      'Write it into each target of this key, as "resource_name" or, with /openai at its end, as "custom_host".',
    );
  return {
    ...(endpoint === undefined || variable !== undefined ? {} : azureHost(endpoint)),
    ...(version === undefined ? {} : { api_version: version }),
  };
};

const readKey = (item: Sourced, provider: string, draft: Draft): ProviderKey => {
  const source = new SourceObject(item);
  const value = source.text('value');
  const models = listedModels(source, 'models');
  const stated = source.peek('azure_key_config');
  const settings = readAzure(source.object('azure_key_config'), draft);
  const id = source.text('id');
  const label = source.text('name') ?? id;
  const weight = source.number('weight') ?? 1;
  for (const name of source.unread())
    draft.lose(
      source.at(name),
      `"${name}" of a key has no counterpart.`,
      'See docs/reference/providers.md for the settings of a provider.',
    );
  return {
    pointer: item.pointer,
    label,
    secret: value === undefined ? undefined : draft.secret(value, keyVariable(provider), source.at('value')),
    weight,
    models,
    settings,
    place: JSON.stringify(stated ?? null),
  };
};

/** Reads the keys and the network of a provider. */
export const readProvider = (source: SourceObject, provider: string, draft: Draft): KeyedProvider => {
  const keys = source.list('keys').map((item) => readKey(item, provider, draft));
  const network = source.object('network_config');
  const host = network.text('base_url');
  const seconds = network.number('default_request_timeout_in_seconds');
  const retries = readRetries(network, 'max_retries', draft);
  for (const name of network.unread())
    draft.lose(network.at(name), `"${name}" of network_config has no counterpart.`, 'Leave it out.');
  const common = {
    ...(host === undefined ? {} : { custom_host: host }),
    ...(seconds === undefined ? {} : { request_timeout: Math.round(seconds * 1000) }),
    ...(retries === undefined ? {} : { retry: { attempts: retries } }),
  };
  return { provider, keys, common };
};

/** Whether a key is used for a model. */
export const isFor =
  (model: string) =>
  ({ models }: ProviderKey): boolean =>
    models === undefined || models.includes(model);

/** The models that keys of a provider list. */
export const modelsOf = ({ keys }: KeyedProvider): readonly string[] => [
  ...new Set(keys.flatMap(({ models = [] }) => models)),
];

const credentialOf = (keys: readonly ProviderKey[]): JsonObject => {
  const [only, ...others] = keys.flatMap(({ secret, weight }) =>
    secret === undefined ? [] : [{ api_key: secret, weight }],
  );
  if (only === undefined) return {};
  return others.length === 0 ? { api_key: only.api_key } : { keys: [only, ...others] };
};

/** The keys of one place, with a name for their target that other places do not have. */
interface Place {
  readonly name: string;
  readonly keys: readonly ProviderKey[];
}

const toPlaces = (keys: readonly ProviderKey[], hint: string): readonly Place[] => {
  const names = new Set<string>();
  return [...Map.groupBy(keys, ({ place }) => place).values()].map((same, index) => {
    const label = same[0]?.label;
    const wanted = label === undefined ? '' : toSlug(label);
    const name = wanted === '' || names.has(wanted) ? `${hint}-${index + 1}` : wanted;
    names.add(name);
    return { name, keys: same };
  });
};

/** The requests that a part of a config serves. */
interface Wanted {
  /** The prefix for the names of its targets; none if absent. */
  readonly prefix?: string;
  /** The only model that it is called with; the model of the request if absent. */
  readonly model?: string;
  /** The models that requests may name here, all of which have the same keys; any if absent. */
  readonly models?: readonly string[];
}

/** A part of a config, with the keys that its targets come from. */
export interface ProviderNode {
  readonly node: JsonObject;
  readonly origins: readonly (readonly [made: JsonPointer, source: JsonPointer])[];
}

/**
 * Returns a provider as a target, or as a load balance with one weighted target for each place if its keys have several places.
 */
export const toNode = (
  { provider, keys, common }: KeyedProvider,
  { prefix = '', model, models: [named = model] = [] }: Wanted,
): ProviderNode => {
  const able = named === undefined ? keys : keys.filter(isFor(named));
  const used = able.length === 0 ? keys : able;
  const toTarget = (same: readonly ProviderKey[]): JsonObject => ({
    provider,
    ...credentialOf(same),
    ...same[0]?.settings,
    ...common,
    ...(model === undefined ? {} : { override_params: { model } }),
  });
  const places = toPlaces(used, provider);
  if (places.length < 2) return { node: toTarget(used), origins: [] };
  return {
    node: {
      strategy: { mode: 'loadbalance' },
      targets: places.map(({ name, keys: same }) => ({
        name: `${prefix}${name}`,
        weight: same.reduce((sum, { weight }) => sum + weight, 0),
        ...toTarget(same),
      })),
    },
    origins: places.flatMap(({ keys: [first] }, index) =>
      first === undefined ? [] : [[childPointer(rootPointer, 'targets', index), first.pointer] as const],
    ),
  };
};
