import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import { findProviderName, keyVariable } from '../draft/provider-names.ts';
import type { ImportSource } from './import-source.ts';
import { toBreaker } from './portkey-breaker.ts';
import { hookNames, type SourcedMember, toHooks } from './portkey-hooks.ts';
import { saveUsed } from './portkey-saved.ts';

/** Members that have another name here. */
const renamed: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
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
};

const modes: Readonly<Record<string, string>> = { 'load-balance': 'loadbalance', load_balance: 'loadbalance' };

/** Members that may stand in a strategy there, and stand beside it here. */
const besideStrategy: ReadonlySet<string> = new Set(['cache', 'cb_config', 'request_timeout', 'retry']);

/** Members whose values are the user's own: names in them are not of the format. */
const ownNames: ReadonlySet<string> = new Set(['override_params', 'query', 'parameters', 'credentials', 'metadata']);

/** Members of configs and of checks that hold a secret. */
const secretMember =
  /^(?:apikey|virtual_key_value|authorization|.*(?:secret|token|password|access_key|access_key_id|external_id|private_key|api_key))$/i;

const isCount = (name: string): boolean => /tokens?$/i.test(name) && /max|min|limit|count|budget/i.test(name);

/** Configs are written with either, `requestTimeout` and `request_timeout`. */
const toSnake = (name: string): string =>
  /[.$@]/.test(name) || /^[A-Z_]+$/.test(name)
    ? name
    : name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

interface Place {
  readonly source: JsonPointer;
  readonly made: JsonPointer;
  /** Whether its names are the user's own. */
  readonly isOwn: boolean;
  /** Where each item of a list comes from; absent where the items are those at `source`. */
  readonly items?: readonly JsonPointer[] | undefined;
  /** The provider that the value around it calls. */
  readonly provider?: string | undefined;
}

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
          source: place.items?.[index] ?? childPointer(place.source, index),
          made: childPointer(place.made, index),
          isOwn: place.isOwn,
        }),
      );
    if (isJsonObject(value)) return this.#object(value, place);
    if (typeof value !== 'string') return value;
    const snake = toSnake(name);
    if (secretMember.test(snake) && !isCount(snake))
      return this.#draft.secret(value, this.#secretName(snake, place), place.source);
    if (name === 'mode') return lookUp(modes, value) ?? value;
    if (name === 'virtual_key') return this.#save(value.replace(/^@/, ''), place, 'virtual_keys');
    if (name === 'provider' && value.startsWith('@')) return `@${this.#save(value.slice(1), place, 'providers')}`;
    if (name === 'provider') return findProviderName(value, this.#providers) ?? value;
    if (name === 'model' && value.startsWith('@')) return this.#savedModel(value, place);
    return value;
  }

  /** A key is named after its provider, as in other programs. */
  #secretName(snake: string, { provider }: Place): string {
    const known = provider === undefined ? undefined : findProviderName(provider, this.#providers);
    return snake === 'api_key' && known !== undefined ? keyVariable(known) : snake;
  }

  /** The members as this format has them, each with its place in the source. */
  #members(value: JsonObject, place: Place): readonly SourcedMember[] {
    const own = Object.entries(value).map(([name, member]) => ({
      name: place.isOwn ? name : toSnake(name),
      value: member,
      source: childPointer(place.source, name),
    }));
    if (place.isOwn) return own;
    const strategy = own.find(({ name }) => name === 'strategy');
    const raised = isJsonObject(strategy?.value) ? Object.entries(strategy.value) : [];
    const beside = raised.flatMap(([name, member]): readonly SourcedMember[] =>
      besideStrategy.has(toSnake(name)) && !own.some((other) => other.name === toSnake(name))
        ? [{ name: toSnake(name), value: member, source: childPointer(strategy?.source ?? place.source, name) }]
        : [],
    );
    const left = own.map((member) =>
      member === strategy
        ? {
            ...member,
            value: Object.fromEntries(raised.filter(([name]) => !beside.some((other) => other.name === toSnake(name)))),
          }
        : member,
    );
    const hooks = toHooks(Object.fromEntries(own.map(({ name, value: member }) => [name, member])), place.source);
    const others = left.filter(({ name, value: member }) => !(hookNames.includes(name) && Array.isArray(member)));
    // Targets without a strategy are those of one that asks the first.
    const isSingle =
      strategy === undefined && own.some(({ name, value: member }) => name === 'targets' && Array.isArray(member));
    const single = isSingle ? [{ name: 'strategy', value: { mode: 'single' }, source: place.source }] : [];
    return [...single, ...others, ...beside, ...hooks];
  }

  #object(value: JsonObject, place: Place): Json {
    const members = this.#members(value, place);
    const named = members.find(({ name }) => name === 'provider')?.value;
    const provider = typeof named === 'string' ? named : undefined;
    const made = members.flatMap(
      ({ name, value: member, source, items, moved = [] }): readonly (readonly [string, Json])[] => {
        const { isOwn } = place;
        if (!isOwn && this.#isLeftOut(name, member, source)) return [];
        const ours = isOwn ? name : (lookUp(renamed, name) ?? name);
        const given = !isOwn && name === 'cb_config' ? toBreaker(member, source, this.#draft) : member;
        const at = childPointer(place.made, ours);
        const inner = { source, made: at, items, provider, isOwn: isOwn || ownNames.has(name) };
        const value = this.value(given, inner, name);
        // Two pointers in a row are one.
        for (const [part, from] of moved) this.#draft.comesFrom(this.#config, `${at}${part}` as JsonPointer, from);
        return [[ours, value]];
      },
    );
    const account = place.isOwn ? undefined : members.find(({ name }) => name === 'vertex_service_account_json');
    if (account === undefined || provider === undefined) return Object.fromEntries(made);
    return this.#withAccount(Object.fromEntries(made), account, provider);
  }

  /** A service account is a credential of a saved provider, with the settings of the target. */
  #withAccount(made: JsonObject, account: SourcedMember, provider: string): JsonObject {
    const { cloudb_project_id: project, cloudb_region: region, ...rest } = made;
    const text = typeof account.value === 'string' ? account.value : JSON.stringify(account.value);
    const settings = {
      ...(project === undefined ? {} : { cloudb_project_id: project }),
      ...(region === undefined ? {} : { cloudb_region: region }),
    };
    const known = findProviderName(provider, this.#providers) ?? provider;
    const slug = this.#draft.saveProvider(known, {
      provider: known,
      credential: {
        cloudb_service_account_json: this.#draft.secret(text, 'GOOGLE_SERVICE_ACCOUNT_JSON', account.source),
      },
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    });
    return { ...rest, provider: `@${slug}` };
  }

  /** Names what only the other gateway can have, and leaves it out. */
  #isLeftOut(name: string, member: Json, source: JsonPointer): boolean {
    if (name === 'vertex_service_account_json') return true;
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
    const [slug = '', ...rest] = value.slice(1).split('/');
    const model = rest.join('/');
    return `@${this.#save(slug, place, 'providers', model)}/${model}`;
  }

  #save(slug: string, { source }: Place, table: 'providers' | 'virtual_keys', model = ''): string {
    return saveUsed({ slug, model, table, source }, this.#draft, this.#providers);
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
export const fromPortkey: ImportSource = (value, { draft, providers, name: fileName }) => {
  const { value: config, pointer } = configIn(value);
  const { name: ownName = value.name, ...rest } = isJsonObject(config) ? config : {};
  // A config is named after its file, so one that has a name of its own gets a file of that name.
  const configName = draft.configName(typeof ownName === 'string' ? ownName : fileName);
  const made = new Converter(draft, configName, providers).value(rest, {
    source: pointer,
    made: rootPointer,
    isOwn: false,
  });
  draft.configs.set(configName, isJsonObject(made) ? made : {});
  draft.gateway.default_config = configName;
};
