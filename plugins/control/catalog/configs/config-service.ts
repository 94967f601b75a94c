import type { JsonObject } from '../../../../schema/json/json.ts';
import { describeUses } from '../../kernel/records/describe-uses.ts';
import type { Page, PageResult } from '../../kernel/records/records.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables/tables.ts';
import { configChanger, validateChange } from './changed-config.ts';
import type { ConfigCaller, ConfigChange, NewConfig, SavedConfig } from './config-parts.ts';
import { configStore, versionInService } from './config-store.ts';
import { configCreator, validateNew } from './new-config.ts';
import { usesOfConfig } from './uses-of-config.ts';
import type { ValidatedConfig } from './validate-config.ts';

/** A config with the version in service. */
export interface FoundConfig {
  readonly row: ConfigRow;
  readonly inService: ConfigVersionRow;
}

/** What can be done with the configs of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface ConfigService {
  /** What the compiler says of a new config, which may have errors. */
  tryNew(caller: ConfigCaller, body: NewConfig): Promise<ValidatedConfig>;
  create(caller: ConfigCaller, body: NewConfig): Promise<SavedConfig>;
  list(caller: ConfigCaller, page: Page): Promise<PageResult<ConfigRow>>;
  get(caller: ConfigCaller, name: string): Promise<FoundConfig>;
  versions(caller: ConfigCaller, name: string, page: Page): Promise<PageResult<ConfigVersionRow>>;
  /** What the compiler says of a new version; of the one in service where there is none. */
  tryChange(caller: ConfigCaller, name: string, config: JsonObject | undefined): Promise<ValidatedConfig>;
  update(caller: ConfigCaller, name: string, body: ConfigChange): Promise<SavedConfig>;
  remove(caller: ConfigCaller, name: string): Promise<void>;
}

export const createConfigService = (parts: ControlParts): ConfigService => {
  const { store, now } = parts;

  return {
    tryNew: (caller, body) => validateNew(parts, caller, body),
    create: configCreator(parts),
    update: configChanger(parts),

    list: ({ tenant }, page) => configStore.list(store.db, { workspace_id: tenant }, page),

    async get({ tenant }, name) {
      const row = await configStore.get(store.db, tenant, name);
      return { row, inService: await versionInService(store.db, row) };
    },

    async versions({ tenant }, name, page) {
      return configStore.listVersions(store.db, await configStore.get(store.db, tenant, name), page);
    },

    async tryChange({ tenant }, name, config) {
      const row = await configStore.get(store.db, tenant, name);
      return (await validateChange(parts, row, { tenant, config })).validated;
    },

    remove: ({ tenant, organisation }, name) =>
      store.write(async (writing) => {
        const config = await configStore.get(writing, tenant, name);
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
