import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, toSlug } from '../draft/draft.ts';
import { keyVariable, providerOfModel } from '../draft/provider-names.ts';
import type { ImportSource } from './import-source.ts';

/** Members that have another name here. */
const renamed: Readonly<Record<string, string>> = {
  aws_access_key_id: 'cloudc_access_key_id',
  aws_region: 'cloudc_region',
  aws_secret_access_key: 'cloudc_secret_access_key',
  aws_session_token: 'cloudc_session_token',
  azure_api_version: 'api_version',
  azure_deployment_id: 'deployment_id',
  azure_resource_name: 'resource_name',
  openai_organization: 'llmv_organization',
  openai_project: 'llmv_project',
  strict_open_ai_compliance: 'strict_llmv_compliance',
  vertex_project_id: 'cloudb_project_id',
  vertex_region: 'cloudb_region',
  vertex_service_account_json: 'cloudb_service_account_json',
};

const modes: Readonly<Record<string, string>> = { 'load-balance': 'loadbalance', load_balance: 'loadbalance' };

/** Members whose values are the user's own: names in them are not of the format. */
const ownNames: ReadonlySet<string> = new Set([
  'override_params',
  'query',
  'parameters',
  'metadata',
  'vertex_service_account_json',
]);

/** Members of configs and of checks that hold a secret. */
const secretMember =
  /^(?:api_?key|virtual_key_value|authorization|.*(?:secret|token|password|access_key_id|access_key|api_key|apikey|credentials?))$/i;

const isCount = (name: string): boolean => /tokens?$/i.test(name) && /max|min|limit|count|budget/i.test(name);

/** Configs are written with either, `requestTimeout` and `request_timeout`. */
const toSnake = (name: string): string =>
  /[.$@]/.test(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Place {
  readonly source: JsonPointer;
  readonly made: JsonPointer;
  /** Whether its names are the user's own. */
  readonly isOwn: boolean;
}

/** A hook that denies says so in what it does where it fails. */
const withDenial = (value: JsonObject): JsonObject => {
  const { deny, on_fail: onFail, ...rest } = value;
  if (typeof deny !== 'boolean' || !Array.isArray(value.checks)) return value;
  return { ...rest, on_fail: { ...(isJsonObject(onFail) ? onFail : {}), deny } };
};

const passthroughLoss = 'A target that takes the provider of the request has no name of its own here';

class Converter {
  readonly #draft: Draft;
  readonly #config: string;
  readonly #providers: ReadonlyMap<string, unknown>;

  constructor(draft: Draft, config: string, providers: ReadonlyMap<string, unknown>) {
    this.#draft = draft;
    this.#config = config;
    this.#providers = providers;
  }

  value(value: Json, place: Place, name = ''): Json {
    this.#draft.comesFrom(this.#config, place.made, place.source);
    if (Array.isArray(value))
      return value.map((item, index) =>
        this.value(item, {
          source: childPointer(place.source, index),
          made: childPointer(place.made, index),
          isOwn: place.isOwn,
        }),
      );
    if (isJsonObject(value)) return this.#object(value, place);
    if (typeof value !== 'string') return value;
    if (secretMember.test(name) && !isCount(name)) return this.#draft.secret(value, name, place.source);
    if (name === 'mode') return modes[value] ?? value;
    if (name === 'virtual_key') return this.#save(value.replace(/^@/, ''), place, 'virtual_keys');
    if (name === 'provider' && value.startsWith('@')) return `@${this.#save(value.slice(1), place, 'providers')}`;
    if (name === 'model' && value.startsWith('@')) return this.#savedModel(value, place);
    return value;
  }

  #object(value: JsonObject, place: Place): JsonObject {
    const members: (readonly [string, Json])[] = [];
    for (const [name, member] of Object.entries(value)) {
      const source = childPointer(place.source, name);
      const snake = place.isOwn ? name : toSnake(name);
      if (this.#isLeftOut(snake, member, { ...place, source })) continue;
      const made = place.isOwn ? name : (renamed[snake] ?? snake);
      const isOwn = place.isOwn || ownNames.has(snake);
      members.push([made, this.value(member, { source, made: childPointer(place.made, made), isOwn }, snake)]);
    }
    return withDenial(Object.fromEntries(members));
  }

  /** Names what only the other gateway can have, and leaves it out. */
  #isLeftOut(name: string, member: Json, { source, isOwn }: Place): boolean {
    if (isOwn) return false;
    if (name === 'passthrough' && member === true) {
      this.#draft.lose(source, `${passthroughLoss}.`, 'Name a provider, or leave the target without one.');
      return true;
    }
    if (name === 'prompt_id') {
      this.#draft.lose(
        source,
        'The prompt is in the store of the other gateway.',
        'Create it here with gw prompts create, and name it in a config of the store.',
      );
      return true;
    }
    return false;
  }

  #savedModel(value: string, place: Place): string {
    const [slug = '', ...model] = value.slice(1).split('/');
    return `@${this.#save(slug, place, 'providers', model.join('/'))}/${model.join('/')}`;
  }

  /** Saves a provider in the gateway file under the name that the other gateway has it by. */
  #save(slug: string, { source }: Place, table: 'providers' | 'virtual_keys', model = ''): string {
    const name = toSlug(slug);
    const saved = this.#draft.gateway[table];
    const known = isJsonObject(saved) ? saved : {};
    if (Object.hasOwn(known, name)) return name;
    const words = name.split('-');
    const guess =
      [...this.#providers.keys()].find((each) => name.startsWith(each)) ??
      words
        .map(
          (word) =>
            ({
              azure: 'azure-openai',
              vertex: 'vertex-ai',
              gemini: 'google',
              mistral: 'mistral-ai',
              claude: 'anthropic',
            })[word] ?? (this.#providers.has(word) ? word : undefined),
        )
        .find((each) => each !== undefined) ??
      providerOfModel(model);
    const provider = guess ?? 'openai';
    this.#draft.lose(
      source,
      `"${slug}" is saved in the other gateway, and its provider and credential are not in this file.`,
      `The gateway file saves it as ${provider} with the key of ${keyVariable(name)}: correct the provider if it is another, and set the variable.`,
    );
    const credential = { api_key: this.#draft.variable(keyVariable(name)) };
    this.#draft.gateway[table] = { ...known, [name]: { provider, credential } };
    return name;
  }
}

/** An exported config has its text in `config`. */
const configIn = (value: JsonObject): { readonly value: Json; readonly pointer: JsonPointer } => {
  const { config } = value;
  const isWhole = ['targets', 'provider', 'strategy', 'virtual_key'].some((name) => Object.hasOwn(value, name));
  return isJsonObject(config) && !isWhole
    ? { value: config, pointer: childPointer(rootPointer, 'config') }
    : { value, pointer: rootPointer };
};

/** A config of Portkey, which has this format with other names for what belongs to a vendor. */
export const fromPortkey: ImportSource = (value, { draft, providers, name }) => {
  const { value: config, pointer } = configIn(value);
  const configName = draft.configName(name);
  const made = new Converter(draft, configName, providers).value(config, {
    source: pointer,
    made: rootPointer,
    isOwn: false,
  });
  draft.configs.set(configName, isJsonObject(made) ? made : {});
  draft.gateway.default_config = configName;
};
