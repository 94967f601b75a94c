import { newSlug } from '../../kernel/records/new-slug.ts';
import { untilWritten } from '../../kernel/records/records.ts';
import { refuseFull } from '../../kernel/records/refuse-full.ts';
import { conflict, mapConflict } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { ConfigRow } from '../../kernel/store/tables/tables.ts';
import { type ConfigCaller, changedMeanwhile, type NewConfig, type SavedConfig } from './config-parts.ts';
import { configStore } from './config-store.ts';
import { sealedVersion, stillHolds } from './config-version.ts';
import { refuseErrors, type ValidatedConfig, validateConfig } from './validate-config.ts';

/** What the compiler says of a new config, which may have errors. */
export const validateNew = (
  parts: ControlParts,
  { tenant }: ConfigCaller,
  { config, slug, name }: NewConfig,
): Promise<ValidatedConfig> => validateConfig(parts, { tenant, slug: slug ?? newSlug(name, 'pc'), config });

interface Named extends NewConfig {
  readonly slug: string;
}

/** Creates configs, each with its first version. */
export const configCreator = (
  parts: ControlParts,
): ((caller: ConfigCaller, body: NewConfig) => Promise<SavedConfig>) => {
  const { store, now, overlay } = parts;

  const refuseTaken = (slug: string): void => {
    if ([...overlay.configNames()].includes(slug))
      throw conflict(`The gateway's own files have a config "${slug}".`, 'Choose another slug.');
  };

  /** One attempt; undefined if others changed what the config names meanwhile. */
  const attempt = async (caller: ConfigCaller, body: Named): Promise<SavedConfig | undefined> => {
    const { tenant } = caller;
    const validated = await validateNew(parts, caller, body);
    refuseErrors(validated);
    const createdAt = now();
    const id = newId(createdAt);
    const version = await sealedVersion(parts, validated, { caller, version: { config: id, number: 1, createdAt } });
    const row: ConfigRow = {
      id,
      workspace_id: tenant,
      slug: body.slug,
      name: body.name,
      is_default: body.is_default ? 1 : 0,
      version_id: version.id,
      created_at: createdAt,
      updated_at: createdAt,
    };
    const isWritten = await store.write(async (writing) => {
      refuseFull('configs', await configStore.count(writing, { workspace_id: tenant }));
      if (!(await stillHolds(parts, writing, { caller, value: validated.value }))) return false;
      await configStore.insert(store, writing, { row, version });
      return true;
    });
    return isWritten ? { row, validated } : undefined;
  };

  return async (caller, body) => {
    const named = { ...body, slug: body.slug ?? newSlug(body.name, 'pc') };
    refuseTaken(named.slug);
    const taken = () =>
      conflict(`This workspace has a config "${named.slug}" already.`, 'Choose another slug, or change that config.');
    return untilWritten(() => mapConflict(taken, () => attempt(caller, named)), changedMeanwhile);
  };
};
