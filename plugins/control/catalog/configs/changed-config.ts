import type { JsonObject } from '../../../../schema/json/json.ts';
import { untilWritten } from '../../kernel/records/records.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables/tables.ts';
import { type ConfigCaller, type ConfigChange, changedMeanwhile, type SavedConfig } from './config-parts.ts';
import { configStore, versionInService } from './config-store.ts';
import { sealedVersion, stillHolds, storedValue } from './config-version.ts';
import { refuseErrors, type ValidatedConfig, validateConfig } from './validate-config.ts';

const maxVersions = 1_000;

/** What the compiler says of a new version; of the one in service where there is none. */
export const validateChange = async (
  parts: ControlParts,
  row: ConfigRow,
  { tenant, config }: Pick<ConfigCaller, 'tenant'> & { readonly config: JsonObject | undefined },
): Promise<{ readonly before: ConfigVersionRow; readonly validated: ValidatedConfig }> => {
  const before = await versionInService(parts.store.db, row);
  const stored = storedValue(before);
  const wanted = config ?? stored.value;
  return { before, validated: await validateConfig(parts, { tenant, slug: row.slug, config: wanted, before: stored }) };
};

/** A new version of a config, if the change has one. */
interface Tried {
  readonly validated: ValidatedConfig;
  readonly version: ConfigVersionRow;
}

/** Changes configs: with a config in the body, each change makes a new version. */
export const configChanger = (
  parts: ControlParts,
): ((caller: ConfigCaller, name: string, body: ConfigChange) => Promise<SavedConfig>) => {
  const { store, now } = parts;

  const tryVersion = async (
    caller: ConfigCaller,
    row: ConfigRow,
    { config, createdAt }: { readonly config: JsonObject; readonly createdAt: number },
  ): Promise<Tried> => {
    const { before, validated } = await validateChange(parts, row, { tenant: caller.tenant, config });
    refuseErrors(validated);
    if (before.number >= maxVersions)
      throw conflict(`The config "${row.slug}" has ${maxVersions} versions.`, 'Create another config.');
    const version = { config: row.id, number: before.number + 1, createdAt };
    return { validated, version: await sealedVersion(parts, validated, { caller, version }) };
  };

  /** One attempt; undefined if others changed the config, or what it names, meanwhile. */
  const attempt = async (caller: ConfigCaller, name: string, body: ConfigChange): Promise<SavedConfig | undefined> => {
    const { tenant } = caller;
    const { config } = body;
    const row = await configStore.get(store.db, tenant, name);
    const createdAt = now();
    const tried = config === undefined ? undefined : await tryVersion(caller, row, { config, createdAt });
    const after: ConfigRow = {
      ...row,
      name: body.name ?? row.name,
      is_default: body.is_default === undefined ? row.is_default : (Number(body.is_default) as 0 | 1),
      version_id: tried?.version.id ?? row.version_id,
      updated_at: Math.max(createdAt, row.updated_at + 1),
    };
    const isWritten = await store.write(async (writing) => {
      const current = await configStore.get(writing, tenant, row.id);
      if (current.updated_at !== row.updated_at) return false;
      if (tried !== undefined && !(await stillHolds(parts, writing, { caller, value: tried.validated.value })))
        return false;
      await configStore.change(store, writing, { row: after, version: tried?.version });
      return true;
    });
    return isWritten ? { row: after, ...(tried === undefined ? {} : { validated: tried.validated }) } : undefined;
  };

  return (caller, name, body) => untilWritten(() => attempt(caller, name, body), changedMeanwhile);
};
