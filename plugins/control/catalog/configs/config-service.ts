import type { JsonObject } from '../../../../schema/json/json.ts';
import { newSlug } from '../../kernel/records/new-slug.ts';
import {
  type PageResult,
  type Reading,
  type ResourcePage,
  refuseFull,
  untilWritten,
} from '../../kernel/records/records.ts';
import { conflict, describeUses } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { type Precondition, refuseChanged } from '../../kernel/resource/precondition.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { mapConflict } from '../../kernel/store/rows/is-conflict.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables/tables.ts';
import { configStore, versionInService } from './config-store.ts';
import { type ConfigCaller, sealedVersion, stillHolds, storedValue } from './config-version.ts';
import { usesOfConfig } from './uses-of-config.ts';
import { refuseErrors, type ValidatedConfig, validateConfig } from './validate-config.ts';

export interface NewConfig {
  readonly name: string;
  readonly config: JsonObject;
  readonly slug?: string | undefined;
  readonly is_default: boolean;
}

export interface ConfigChange {
  readonly name?: string | undefined;
  readonly config?: JsonObject | undefined;
  readonly is_default?: boolean | undefined;
}

/** A config that a request names, by its id or slug. */
export interface NamedConfig {
  readonly caller: ConfigCaller;
  readonly name: string;
  readonly precondition?: Precondition;
}

/** A config that was saved, and what the compiler said of it; nothing if its text is what it was. */
export interface SavedConfig {
  readonly row: ConfigRow;
  readonly validated?: ValidatedConfig | undefined;
}

/** A config with the version in service. */
export interface FoundConfig {
  readonly row: ConfigRow;
  readonly inService: ConfigVersionRow;
}

/** The methods of the configs of a workspace. All of them reject with a `GatewayError`, or as the store does. */
export interface ConfigService {
  /** Compiles a new config, which may have errors, and saves nothing. */
  tryNew(caller: ConfigCaller, body: NewConfig): Promise<ValidatedConfig>;
  create(caller: ConfigCaller, body: NewConfig): Promise<SavedConfig>;
  list(caller: ConfigCaller, page: ResourcePage): Promise<PageResult<ConfigRow>>;
  get(named: NamedConfig): Promise<FoundConfig>;
  versions(named: NamedConfig, page: ResourcePage): Promise<PageResult<ConfigVersionRow>>;
  /** Compiles a new version, or without a text the one in service, and saves nothing. */
  tryChange(named: NamedConfig, config: JsonObject | undefined): Promise<ValidatedConfig>;
  /** Changes a config: with a text, each change makes a new version. */
  update(named: NamedConfig, body: ConfigChange): Promise<SavedConfig>;
  remove(named: NamedConfig): Promise<void>;
}

const maxVersions = 1_000;

/** Says that others change what a config names again and again while it is compiled. */
const changedMeanwhile = () => conflict('Others change what this request needs at the same time.', 'Send it again.');

export const createConfigService = (parts: ControlParts): ConfigService => {
  const { store, now, overlay } = parts;

  const find = async (db: Reading, { caller, name, precondition }: NamedConfig): Promise<ConfigRow> => {
    const row = await configStore.get(db, caller.tenant, name);
    refuseChanged(row, { precondition, what: 'config', name });
    return row;
  };

  const validateNew = ({ tenant }: ConfigCaller, slug: string, config: JsonObject): Promise<ValidatedConfig> =>
    validateConfig(parts, { tenant, slug, config });

  const validateChange = async ({ tenant }: ConfigCaller, row: ConfigRow, config: JsonObject | undefined) => {
    const inService = await versionInService(store.db, row);
    const before = storedValue(inService);
    const wanted = { tenant, slug: row.slug, config: config ?? before.value, before };
    return { inService, validated: await validateConfig(parts, wanted) };
  };

  return {
    tryNew: (caller, { name, slug = newSlug(name, 'pc'), config }) => validateNew(caller, slug, config),

    async create(caller, { name, slug = newSlug(name, 'pc'), config, is_default }) {
      const { tenant } = caller;
      if ([...overlay.configNames()].includes(slug))
        throw conflict(`The gateway's own files have a config "${slug}".`, 'Choose another slug.');
      const attempt = async (): Promise<SavedConfig | undefined> => {
        const validated = await validateNew(caller, slug, config);
        refuseErrors(validated);
        const createdAt = now();
        const id = newId(createdAt);
        const about = { config: id, number: 1, createdAt };
        const version = await sealedVersion(parts, validated, { caller, version: about });
        const row: ConfigRow = {
          ...{ id, workspace_id: tenant, slug, name, is_default: is_default ? 1 : 0, version_id: version.id },
          ...{ created_at: createdAt, updated_at: createdAt },
        };
        const isWritten = await store.write(async (writing) => {
          refuseFull('configs', await configStore.count(writing, { workspace_id: tenant }));
          if (!(await stillHolds(parts, writing, { caller, value: validated.value }))) return false;
          await configStore.insert(store, writing, { row, version });
          return true;
        });
        return isWritten ? { row, validated } : undefined;
      };
      const taken = () =>
        conflict(`This workspace has a config "${slug}" already.`, 'Choose another slug, or change that config.');
      return untilWritten(() => mapConflict(taken, attempt), changedMeanwhile);
    },

    list: ({ tenant }, page) => configStore.list(store.db, { workspace_id: tenant }, page),

    async get(named) {
      const row = await find(store.db, named);
      return { row, inService: await versionInService(store.db, row) };
    },

    versions: async (named, page) => configStore.listVersions(store.db, await find(store.db, named), page),

    tryChange: async (named, config) =>
      (await validateChange(named.caller, await find(store.db, named), config)).validated,

    update: (named, { config, name, is_default }) => {
      const { caller } = named;
      const newVersion = async (row: ConfigRow, text: JsonObject, createdAt: number) => {
        const { inService, validated } = await validateChange(caller, row, text);
        refuseErrors(validated);
        if (inService.number >= maxVersions)
          throw conflict(`The config "${row.slug}" has ${maxVersions} versions.`, 'Create another config.');
        const version = { config: row.id, number: inService.number + 1, createdAt };
        return { validated, version: await sealedVersion(parts, validated, { caller, version }) };
      };
      return untilWritten(async () => {
        const before = await find(store.db, named);
        const createdAt = now();
        const made = config && (await newVersion(before, config, createdAt));
        const row: ConfigRow = {
          ...before,
          name: name ?? before.name,
          is_default: is_default === undefined ? before.is_default : (Number(is_default) as 0 | 1),
          version_id: made?.version.id ?? before.version_id,
          updated_at: Math.max(createdAt, before.updated_at + 1),
        };
        const isWritten = await store.write(async (writing) => {
          const current = await configStore.get(writing, caller.tenant, row.id);
          if (current.updated_at !== before.updated_at) return false;
          if (made && !(await stillHolds(parts, writing, { caller, value: made.validated.value }))) return false;
          await configStore.change(store, writing, { row, version: made?.version });
          return true;
        });
        return isWritten ? { row, validated: made?.validated } : undefined;
      }, changedMeanwhile);
    },

    remove: (named) =>
      store.write(async (writing) => {
        const config = await find(writing, named);
        const { organisation } = named.caller;
        const uses = await usesOfConfig(writing, { config, organisation, now: now() });
        if (uses.length > 0)
          throw conflict(
            `The config "${config.slug}" is the default of ${describeUses(uses)}.`,
            'Give them another default first.',
          );
        await configStore.remove(store, writing, config);
      }),
  };
};
