import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, gatewayFile } from '../draft/draft.ts';
import { findProviderName } from '../draft/provider-names.ts';
import { SourceObject } from '../draft/read-source.ts';
import { type KeyedProvider, modelsOf, type ProviderNode, readProvider, toNode } from './bifrost/provider-keys.ts';
import { readVirtualKeys, withStore } from './bifrost/virtual-keys.ts';
import type { ImportSource } from './import-source.ts';

/** Why a section is left out, and what to do. */
const lost: Readonly<Record<string, readonly [why: string, instead: string]>> = {
  client: ['Server settings have other names here', 'See "listen", "overload" and "log" of the gateway file.'],
  config_store: [
    'Records of the other gateway are not read',
    'Name a store of its own: "store": { "url": "gateway.db" }.',
  ],
  logs_store: ['The log is in the store', 'Name one: "store": { "url": "gateway.db" }.'],
  encryption_key: ['Keys of the other gateway are not used', 'Set GW_MASTER_KEY if you have a store.'],
  mcp: ['Tool servers are not part of the gateway', 'Connect clients to them.'],
  plugins: [
    'Plugins of the other gateway do not run here',
    'gw plugin new creates one; caches and telemetry are settings.',
  ],
  vector_store: [
    'A semantic cache keeps its vectors in memory or in Redis',
    'Write "cache": { "semantic": … } in the gateway file.',
  ],
};

const lose = (draft: Draft, source: SourceObject, name: string): void => {
  const [why, instead] = lookUp(lost, name) ?? [
    `"${name}" has no counterpart`,
    'Remove it; docs/reference/gateway-file/README.md lists the settings of a gateway file.',
  ];
  draft.lose(source.at(name), `${why}.`, instead);
};

/** Saves a part of a config as a separate config, and returns its name. */
const makeConfig = (
  hint: string,
  { node, origins }: ProviderNode,
  { draft, from }: { readonly draft: Draft; readonly from: SourceObject },
): string => {
  const name = draft.configName(hint);
  draft.configs.set(name, node);
  draft.recordOrigin(name, rootPointer, from.pointer);
  for (const [made, source] of origins) draft.recordOrigin(name, made, source);
  return name;
};

/** Reads Bifrost's `config.json`: each provider becomes a config, and each of its models a virtual model `provider/model`. */
export const fromBifrost: ImportSource = (value, { draft, providers }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  source.get('$schema');
  const listed = source.object('providers');
  const models: Record<string, Json> = isJsonObject(draft.gateway.models) ? { ...draft.gateway.models } : {};
  const known = new Map<string, KeyedProvider>();
  for (const name of listed.names()) {
    const custom = listed.object(name).object('custom_provider_config').text('base_provider_type');
    const provider = findProviderName(custom ?? name, providers);
    if (provider === undefined) {
      draft.lose(
        listed.at(name),
        `There is no provider "${name}".`,
        'If it follows the API of OpenAI, use openai-compatible with a custom_host.',
      );
      draft.lostConfigs.push(name);
      continue;
    }
    const own = listed.object(name);
    const read = readProvider(own, provider, draft);
    for (const member of own.unread()) lose(draft, own, member);
    known.set(name, read);
    makeConfig(name, toNode(read, {}), { draft, from: own });
    for (const model of modelsOf(read)) {
      models[`${name}/${model}`] =
        `config:${makeConfig(`${name}-${model}`, toNode(read, { model }), { draft, from: own })}`;
      draft.recordOrigin(gatewayFile, toPointer(['models', `${name}/${model}`]), own.pointer);
    }
  }
  const governance = source.object('governance');
  readVirtualKeys(governance, draft, known);
  for (const name of governance.unread())
    draft.lose(
      governance.at(name),
      `"${name}" of governance has no counterpart in a file.`,
      `Keys, budgets and limits are in a store: gw keys, gw policies. ${withStore}`,
    );
  for (const name of source.unread()) lose(draft, source, name);
  if (isJsonObject(models) && Object.keys(models).length > 0) draft.gateway.models = models;
};
