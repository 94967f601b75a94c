import { gatewayError } from '../../../schema/errors.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { ControlParts } from '../control-parts.ts';
import { missingGuardrails } from '../guardrails/guardrail-store.ts';
import { namedGuardrails } from '../guardrails/named-guardrails.ts';
import type { Acting } from '../saved/acting.ts';
import type { StoredValue } from '../saved/kept-secrets.ts';
import { newSlug } from '../saved/new-slug.ts';
import { usesWords } from '../saved/uses-words.ts';
import { sealLiterals } from '../secrets/literals.ts';
import { isConflict } from '../store/is-conflict.ts';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../store/tables.ts';
import { placeOfVersion } from './config-places.ts';
import {
  type ConfigList,
  changeConfig,
  countConfigs,
  deleteConfig,
  findConfig,
  insertConfig,
  listConfigs,
  listVersions,
  type Part,
  versionInService,
} from './config-store.ts';
import { type JudgedConfig, judgeConfig, refuseErrors } from './judge-config.ts';
import { usesOfConfig } from './uses-of-config.ts';

const mostConfigs = 10_000;
const mostVersions = 1_000;
const mostAttempts = 5;

export interface ConfigCaller extends Acting {
  readonly keyId?: string | undefined;
}

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

/** A config that was saved, and what the compiler said of it; nothing if its text is what it was. */
export interface SavedConfig {
  readonly row: ConfigRow;
  readonly judged?: JudgedConfig;
}

/** A config with the version in service. */
export interface FoundConfig {
  readonly row: ConfigRow;
  readonly inService: ConfigVersionRow;
}

/** What can be done with the configs of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface ConfigService {
  /** What the compiler says of a new config, which may have errors. */
  tryNew(caller: ConfigCaller, body: NewConfig): Promise<JudgedConfig>;
  create(caller: ConfigCaller, body: NewConfig): Promise<SavedConfig>;
  list(caller: ConfigCaller, part: Part): Promise<ConfigList<ConfigRow>>;
  get(caller: ConfigCaller, name: string): Promise<FoundConfig>;
  versions(caller: ConfigCaller, name: string, part: Part): Promise<ConfigList<ConfigVersionRow>>;
  /** What the compiler says of a new version; of the one in service where there is none. */
  tryChange(caller: ConfigCaller, name: string, config: JsonObject | undefined): Promise<JudgedConfig>;
  update(caller: ConfigCaller, name: string, body: ConfigChange): Promise<SavedConfig>;
  remove(caller: ConfigCaller, name: string): Promise<void>;
}

const conflict = (fact: string, suggestion: string) => gatewayError('conflict', { fact, suggestion });

const changedMeanwhile = () => conflict('Others change what this request needs at the same time.', 'Send it again.');

const storedValue = (version: ConfigVersionRow): StoredValue => ({
  value: JSON.parse(version.text) as Json,
  sealed: JSON.parse(version.sealed),
  at: placeOfVersion(version),
});

export const createConfigService = (parts: ControlParts): ConfigService => {
  const { store, sealer, now, overlay } = parts;

  const found = async (db: Pick<Writing, 'selectFrom'>, tenant: TenantId, name: string): Promise<ConfigRow> => {
    const row = await findConfig(db, tenant, name);
    if (row !== undefined) return row;
    throw gatewayError('not-found', { what: 'config', name, suggestion: 'GET /v1/configs lists them.' });
  };

  const sealed = async (
    { value, result }: JudgedConfig,
    about: Pick<ConfigVersionRow, 'id' | 'config_id' | 'workspace_id' | 'number' | 'created_by' | 'created_at'>,
  ): Promise<ConfigVersionRow> => {
    const pointers = result.secretPlaces;
    const { text, sealed: secrets } = await sealLiterals(sealer, { value, pointers, at: placeOfVersion(about) });
    return { ...about, text, sealed: JSON.stringify(secrets) };
  };

  /** Whether all guardrails that a judged config names are still there. */
  const stillHolds = async (writing: Writing, { tenant, organisation }: Acting, value: Json): Promise<boolean> => {
    const names = [...new Set(namedGuardrails(value))].filter((name) => !Object.hasOwn(overlay.saved.guardrails, name));
    return (await missingGuardrails(writing, { tenant, organisation }, names)).length === 0;
  };

  const refuseTaken = (slug: string): void => {
    if ([...overlay.configNames()].includes(slug))
      throw conflict(`The gateway's own files have a config "${slug}".`, 'Choose another slug.');
  };

  const tryNew: ConfigService['tryNew'] = ({ tenant }, { config, slug, name }) =>
    judgeConfig(parts, { tenant, slug: slug ?? newSlug(name, 'pc'), config });

  const tryChange = async (tenant: TenantId, row: ConfigRow, config: JsonObject | undefined) => {
    const before = await versionInService(store.db, row);
    const stored = storedValue(before);
    const wanted = config ?? stored.value;
    const judged = await judgeConfig(parts, { tenant, slug: row.slug, config: wanted, before: stored });
    return { before, judged };
  };

  /** One attempt to change a config; undefined if others changed it, or what it names, meanwhile. */
  const attempt = async (caller: ConfigCaller, name: string, body: ConfigChange): Promise<SavedConfig | undefined> => {
    const { tenant } = caller;
    const row = await found(store.db, tenant, name);
    const made = now();
    const tried = body.config === undefined ? undefined : await tryChange(tenant, row, body.config);
    if (tried !== undefined) refuseErrors(tried.judged);
    if (tried !== undefined && tried.before.number >= mostVersions)
      throw conflict(`The config "${row.slug}" has ${mostVersions} versions.`, 'Create another config.');
    const version =
      tried &&
      (await sealed(tried.judged, {
        id: newId(made),
        config_id: row.id,
        workspace_id: tenant,
        number: tried.before.number + 1,
        created_by: caller.keyId ?? null,
        created_at: made,
      }));
    const after: ConfigRow = {
      ...row,
      name: body.name ?? row.name,
      is_default: body.is_default === undefined ? row.is_default : (Number(body.is_default) as 0 | 1),
      version_id: version?.id ?? row.version_id,
      updated_at: Math.max(made, row.updated_at + 1),
    };
    const isWritten = await store.write(async (writing) => {
      const current = await found(writing, tenant, row.id);
      if (current.updated_at !== row.updated_at) return false;
      if (tried !== undefined && !(await stillHolds(writing, caller, tried.judged.value))) return false;
      await changeConfig(store, writing, { row: after, version });
      return true;
    });
    return isWritten ? { row: after, ...(tried === undefined ? {} : { judged: tried.judged }) } : undefined;
  };

  return {
    tryNew,

    async create(caller, body) {
      const { tenant } = caller;
      const slug = body.slug ?? newSlug(body.name, 'pc');
      refuseTaken(slug);
      for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
        const judged = await tryNew(caller, { ...body, slug });
        refuseErrors(judged);
        const made = now();
        const id = newId(made);
        const version = await sealed(judged, {
          id: newId(made),
          config_id: id,
          workspace_id: tenant,
          number: 1,
          created_by: caller.keyId ?? null,
          created_at: made,
        });
        const times = { created_at: made, updated_at: made };
        const is_default = body.is_default ? 1 : 0;
        const row = {
          id,
          workspace_id: tenant,
          slug,
          name: body.name,
          is_default,
          version_id: version.id,
          ...times,
        } as const;
        const write = store.write(async (writing) => {
          if ((await countConfigs(writing, tenant)) >= mostConfigs)
            throw conflict(`This workspace has ${mostConfigs} configs.`, 'Delete those that nobody needs.');
          if (!(await stillHolds(writing, caller, judged.value))) return false;
          await insertConfig(store, writing, { row, version });
          return true;
        });
        const isWritten = await write.catch((error: unknown) => {
          if (!isConflict(error)) throw error;
          throw conflict(
            `This workspace has a config "${slug}" already.`,
            'Choose another slug, or change that config.',
          );
        });
        if (isWritten) return { row, judged };
      }
      throw changedMeanwhile();
    },

    list: ({ tenant }, part) => listConfigs(store.db, tenant, part),

    async get({ tenant }, name) {
      const row = await found(store.db, tenant, name);
      return { row, inService: await versionInService(store.db, row) };
    },

    async versions({ tenant }, name, part) {
      return listVersions(store.db, await found(store.db, tenant, name), part);
    },

    async tryChange({ tenant }, name, config) {
      return (await tryChange(tenant, await found(store.db, tenant, name), config)).judged;
    },

    async update(caller, name, body) {
      for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
        const saved = await attempt(caller, name, body);
        if (saved !== undefined) return saved;
      }
      throw changedMeanwhile();
    },

    remove: ({ tenant, organisation }, name) =>
      store.write(async (writing) => {
        const config = await found(writing, tenant, name);
        const uses = await usesOfConfig(writing, { config, organisation, now: now() });
        if (uses.length > 0)
          throw conflict(
            `The config "${config.slug}" is the default of ${usesWords(uses)}.`,
            'Give them another default first.',
          );
        await deleteConfig(store, writing, config);
      }),
  };
};
