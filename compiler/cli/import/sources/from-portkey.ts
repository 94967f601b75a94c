import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import {
  type ConversionPort,
  type ConvertedText,
  convertPortkeyConfig,
} from '../../../../schema/portkey/convert-config.ts';
import type { SourcedMember } from '../../../../schema/portkey/hooks.ts';
import { keyVariable } from '../../../../schema/text/key-variable.ts';
import type { Draft } from '../draft/draft.ts';
import { findProviderName } from '../draft/provider-names.ts';
import type { ImportSource } from './import-source.ts';
import { saveUsed } from './portkey-saved.ts';
import { loseConnections } from './portkey-statuses.ts';

/** Members of configs and of checks that contain a secret. */
const secretMember =
  /^(?:apikey|virtual_key_value|authorization|.*(?:secret|token|password|access_key|access_key_id|external_id|private_key|api_key))$/i;

const isCount = (name: string): boolean => /tokens?$/i.test(name) && /max|min|limit|count|budget/i.test(name);

/** Converts a config of Portkey into a draft: secrets become variables, and saved records go into the gateway file. */
class PortkeyConversion implements ConversionPort {
  readonly #draft: Draft;
  readonly #config: string;
  readonly #providers: ReadonlyMap<string, unknown>;

  constructor(draft: Draft, config: string, providers: ReadonlyMap<string, unknown>) {
    this.#draft = draft;
    this.#config = config;
    this.#providers = providers;
  }

  mapSource(made: JsonPointer, source: JsonPointer): void {
    this.#draft.recordOrigin(this.#config, made, source);
  }

  reportLoss(source: JsonPointer, why: string, instead: string): void {
    this.#draft.lose(source, why, instead);
  }

  text({ value, name, source, provider }: ConvertedText): string {
    if (secretMember.test(name) && !isCount(name))
      return this.#draft.secret(value, this.#secretName(name, provider), source);
    if (name === 'virtual_key') return this.#save(value.replace(/^@/, ''), source, 'virtual_keys');
    if (name === 'provider' && value.startsWith('@')) return `@${this.#save(value.slice(1), source, 'providers')}`;
    if (name === 'provider') return findProviderName(value, this.#providers) ?? value;
    if (name === 'model' && value.startsWith('@')) return this.#savedModel(value, source);
    return value;
  }

  /** Notes what only the other gateway can have, and leaves it out. */
  isOmitted({ name, value, source }: SourcedMember): boolean {
    if (name === 'vertex_service_account_json') return true;
    if (name !== 'prompt_id') return false;
    this.#draft.lose(
      source,
      `The prompt ${JSON.stringify(value)} of this target is in the store of the other gateway.`,
      'Create it here with gw prompts create, and name it in a config of the store.',
    );
    return true;
  }

  /**
   * Saves a service account as the credential of a saved provider, with the settings of the target. Notes lists of statuses that
   * lack one.
   */
  finish(made: JsonObject, members: readonly SourcedMember[], provider: string | undefined): JsonObject {
    loseConnections(this.#draft, members);
    const account = members.find(({ name }) => name === 'vertex_service_account_json');
    if (account === undefined || provider === undefined) return made;
    const { cloudb_project_id: project, cloudb_region: region, ...rest } = made;
    const text = typeof account.value === 'string' ? account.value : JSON.stringify(account.value);
    const settings = {
      ...(project === undefined ? {} : { cloudb_project_id: project }),
      ...(region === undefined ? {} : { cloudb_region: region }),
    };
    const known = findProviderName(provider, this.#providers) ?? provider;
    const slug = this.#draft.save('providers', known, {
      provider: known,
      credential: {
        cloudb_service_account_json: this.#draft.secret(text, 'GOOGLE_SERVICE_ACCOUNT_JSON', account.source),
      },
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    });
    return { ...rest, provider: `@${slug}` };
  }

  /** Names a key after its provider, as other programs do. */
  #secretName(name: string, provider: string | undefined): string {
    const known = provider === undefined ? undefined : findProviderName(provider, this.#providers);
    return name === 'api_key' && known !== undefined ? keyVariable(known) : name;
  }

  #savedModel(value: string, source: JsonPointer): string {
    const [slug = '', ...rest] = value.slice(1).split('/');
    const model = rest.join('/');
    return `@${this.#save(slug, source, 'providers', model)}/${model}`;
  }

  #save(slug: string, source: JsonPointer, table: 'providers' | 'virtual_keys', model = ''): string {
    return saveUsed({ slug, model, table, source }, this.#draft, this.#providers);
  }
}

interface Found {
  readonly value: Json;
  readonly pointer: JsonPointer;
  /** The id that clients use for it, or its name. */
  readonly name?: Json | undefined;
}

const isWhole = (value: JsonObject): boolean =>
  ['targets', 'provider', 'strategy', 'virtual_key'].some((name) => Object.hasOwn(value, name));

/**
 * Finds the config in a file. The file is the config; or it is an export with the config in `config`, as an object or as text; or
 * it is an API response with an export in `data`:
 * https://portkey.ai/docs/api-reference/admin-api/control-plane/configs/retrieve-config.
 */
const findConfig = (value: JsonObject, pointer: JsonPointer = rootPointer): Found => {
  const { config, data, slug, name } = value;
  if (isWhole(value)) return { value, pointer };
  if (isJsonObject(data)) return findConfig(data, childPointer(pointer, 'data'));
  const read = typeof config === 'string' ? parseObject(config) : config;
  return isJsonObject(read)
    ? { value: read, pointer: childPointer(pointer, 'config'), name: slug ?? name }
    : { value, pointer };
};

/** Whether a value is a list as the API returns at `/v1/configs`. */
const isList = (value: JsonObject): boolean => !isWhole(value) && Array.isArray(value.data);

/** Reads a config of Portkey, whose format is the same except for the names of what belongs to a vendor. */
export const fromPortkey: ImportSource = (value, { draft, providers, name: fileName }) => {
  if (isList(value)) {
    draft.lose(
      childPointer(rootPointer, 'data'),
      'This is a list of configs: it has their names and ids, but not the configs themselves.',
      "Ask Portkey's API for each of them, at /v1/configs/ID, and import those answers.",
    );
    draft.lostConfigs.push(fileName);
    return;
  }
  const { value: config, pointer, name: foundName } = findConfig(value);
  const { name: ownName = foundName, ...rest } = isJsonObject(config) ? config : {};
  // A config is named after its file, so a config with a name of its own gets a file with that name.
  const configName = draft.configName(typeof ownName === 'string' ? ownName : fileName);
  const made = convertPortkeyConfig(rest, pointer, new PortkeyConversion(draft, configName, providers));
  draft.configs.set(configName, isJsonObject(made) ? made : {});
  draft.gateway.default_config = configName;
};
