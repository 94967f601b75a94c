import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, toSlug } from '../draft/draft.ts';
import { findProviderName, keyVariable } from '../draft/provider-names.ts';
import { type Sourced, SourceObject } from '../draft/read-source.ts';
import type { ImportSource } from './import-source.ts';

/** Why a section is left out, and what to do. */
const lost: Readonly<Record<string, readonly [why: string, instead: string]>> = {
  client: ['Settings of the server have other names here', 'See "listen", "overload" and "log" of the gateway file.'],
  config_store: [
    'Records of the other gateway are not read',
    'Name a store of its own: "store": { "url": "gateway.db" }.',
  ],
  logs_store: ['The log is in the store', 'Name one: "store": { "url": "gateway.db" }.'],
  encryption_key: ['Keys of the other gateway are not used', 'Set GW_MASTER_KEY where you have a store.'],
  mcp: ['Servers of tools are not part of the gateway', 'Connect clients to them.'],
  plugins: [
    'Plugins of the other gateway do not run here',
    'gw plugin new makes one; caches and telemetry are settings.',
  ],
  vector_store: [
    'A semantic cache has its vectors in memory or in a Redis',
    'Write "cache": { "semantic": … } in the gateway file.',
  ],
};

const lose = (draft: Draft, source: SourceObject, name: string): void => {
  const [why, instead] = lookUp(lost, name) ?? [
    `"${name}" has no counterpart`,
    'Leave it out; docs/reference/gateway-file/README.md lists what a gateway file can say.',
  ];
  draft.lose(source.at(name), `${why}.`, instead);
};

interface Key {
  readonly api_key: string;
  readonly weight: number;
}

const readKey = (
  item: Sourced,
  provider: string,
  draft: Draft,
): { readonly key: Key | undefined; readonly models: readonly string[]; readonly settings: JsonObject } => {
  const source = new SourceObject(item);
  const value = source.text('value');
  const models = source.texts('models').filter((model) => model !== '*');
  const azure = source.object('azure_key_config');
  const endpoint = azure.text('endpoint');
  const resource = /^https:\/\/([a-z0-9-]+)\.openai\.azure\.com\/?/i.exec(endpoint ?? '')?.[1];
  const version = azure.text('api_version');
  source.get('name');
  source.get('id');
  const weight = source.number('weight') ?? 1;
  for (const name of source.unread())
    draft.lose(
      source.at(name),
      `"${name}" of a key has no counterpart.`,
      'See docs/reference/providers.md for the settings of a provider.',
    );
  return {
    key:
      value === undefined
        ? undefined
        : { api_key: draft.secret(value, keyVariable(provider), source.at('value')), weight },
    models,
    settings: {
      ...(resource === undefined ? {} : { resource_name: resource }),
      ...(version === undefined ? {} : { api_version: version }),
    },
  };
};

/** The config of a provider, which any model of it can be asked by. */
const readProvider = (
  source: SourceObject,
  provider: string,
  draft: Draft,
): { readonly config: JsonObject; readonly models: readonly string[] } => {
  const keys = source.list('keys').map((item) => readKey(item, provider, draft));
  const network = source.object('network_config');
  const host = network.text('base_url');
  const seconds = network.number('default_request_timeout_in_seconds');
  const retries = network.number('max_retries');
  for (const name of network.unread())
    draft.lose(network.at(name), `"${name}" of network_config has no counterpart.`, 'Leave it out.');
  for (const name of source.unread()) lose(draft, source, name);
  const [only, ...others] = keys.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const credential =
    only === undefined
      ? {}
      : others.length === 0
        ? { api_key: only.api_key }
        : { keys: [only, ...others].map((key) => ({ ...key })) };
  const config = {
    provider,
    ...credential,
    ...Object.assign({}, ...keys.map(({ settings }) => settings)),
    ...(host === undefined ? {} : { custom_host: host }),
    ...(seconds === undefined ? {} : { request_timeout: Math.round(seconds * 1000) }),
    ...(retries === undefined ? {} : { retry: { attempts: Math.min(5, Math.max(0, retries)) } }),
  };
  return { config, models: [...new Set(keys.flatMap(({ models }) => models))] };
};

/** The providers that a virtual key may ask, by their weights, and those of no weight after them. */
const readVirtualKeys = (source: SourceObject, draft: Draft, targets: ReadonlyMap<string, JsonObject>): void => {
  for (const item of source.list('virtual_keys')) {
    const key = new SourceObject(item);
    const name = key.text('name') ?? key.text('id') ?? 'virtual-key';
    key.get('id');
    key.get('description');
    key.get('is_active');
    const used = key.list('provider_configs').flatMap((each) => {
      const own = new SourceObject(each);
      const provider = own.text('provider') ?? '';
      const target = targets.get(provider);
      const weight = own.number('weight') ?? 1;
      for (const member of own.unread())
        draft.lose(
          own.at(member),
          `"${member}" of a virtual key has no counterpart in a config.`,
          'Limits and lists of models are of keys and policies in a store.',
        );
      return target === undefined ? [] : [{ ...target, name: toSlug(provider), weight }];
    });
    for (const member of key.unread())
      draft.lose(
        key.at(member),
        `"${member}" of a virtual key has no counterpart in a config.`,
        'Make a service key, and a policy for its limits, in a store: gw keys create, gw policies usage create.',
      );
    if (used.length === 0) continue;
    const config = draft.configName(name);
    draft.configs.set(config, { strategy: { mode: 'loadbalance' }, targets: used });
    draft.comesFrom(config, rootPointer, item.pointer);
  }
};

/** Bifrost's `config.json`: each provider is a config, and each of its models a virtual model `provider/model`. */
export const fromBifrost: ImportSource = (value, { draft, providers }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  source.get('$schema');
  const listed = source.object('providers');
  const models: Record<string, Json> = isJsonObject(draft.gateway.models) ? { ...draft.gateway.models } : {};
  const targets = new Map<string, JsonObject>();
  for (const name of listed.names()) {
    const custom = listed.object(name).object('custom_provider_config').text('base_provider_type');
    const provider = findProviderName(custom ?? name, providers);
    if (provider === undefined) {
      draft.lose(
        listed.at(name),
        `There is no provider "${name}".`,
        'If it follows the API of OpenAI, use openai-compatible with a custom_host.',
      );
      continue;
    }
    const { config, models: known } = readProvider(listed.object(name), provider, draft);
    const configName = draft.configName(name);
    draft.configs.set(configName, config);
    draft.comesFrom(configName, rootPointer, childPointer(listed.pointer, name));
    targets.set(name, config);
    for (const model of known) {
      const own = draft.configName(`${name}-${model}`);
      draft.configs.set(own, { ...config, override_params: { model } });
      draft.comesFrom(own, rootPointer, childPointer(listed.pointer, name));
      models[`${name}/${model}`] = `config:${own}`;
    }
  }
  const governance = source.object('governance');
  readVirtualKeys(governance, draft, targets);
  for (const name of governance.unread())
    draft.lose(
      governance.at(name),
      `"${name}" of governance has no counterpart in a file.`,
      'Keys, budgets and limits are in a store: gw keys, gw policies.',
    );
  for (const name of source.unread()) lose(draft, source, name);
  if (isJsonObject(models) && Object.keys(models).length > 0) draft.gateway.models = models;
};
