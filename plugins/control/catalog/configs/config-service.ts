import type { PlanComparison } from '../../../../schema/forecast/plan-comparison.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { isPlanLabel } from '../../../../schema/plan/hash-plan.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { refuseOtherValues } from '../../kernel/records/fixed-members.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import { newSlug } from '../../kernel/records/new-slug.ts';
import {
  laterThan,
  type PageResult,
  type Reading,
  type ResourcePage,
  untilWritten,
} from '../../kernel/records/records.ts';
import type { SearchedPage } from '../../kernel/records/search.ts';
import { type Precondition, refuseChanged } from '../../kernel/requests/precondition.ts';
import { changedMeanwhile, conflict, refuse, refuseUses } from '../../kernel/requests/refusals.ts';
import type { KeyScope } from '../../kernel/requests/request-scope.ts';
import type { SecretsOfRecord } from '../../kernel/resource/compare-route.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { literalSecrets, type StoredValue, sealLiterals } from '../../kernel/secrets/literals.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables.ts';
import { missingProviders, namedProviders } from '../destinations/missing-providers.ts';
import { missingGuardrails } from '../guardrails/named-guardrails.ts';
import { clearOtherDefault, configStore, usesOfConfig, versionInService, versionsUntil } from './config-store.ts';
import { refuseErrors, type ValidatedConfig, validateConfig } from './validate-config.ts';

/** Returns the place for which the secrets of a version are sealed. */
export const placeOfVersion = ({ workspace_id, id }: Pick<ConfigVersionRow, 'workspace_id' | 'id'>): SealedAt => ({
  tenant: workspace_id,
  table: 'config_versions',
  id,
  field: 'text',
});

/** Returns the config of a version, with placeholders for sealed values. */
const storedValue = (version: ConfigVersionRow): StoredValue => ({
  value: fromJson(version.text) as Json,
  sealed: fromJson(version.sealed),
  at: placeOfVersion(version),
});

/** Seals the secrets of a validated config, and creates a version of it. */
const sealedVersion = async (
  { sealer }: Pick<ControlParts, 'sealer'>,
  { value, result }: ValidatedConfig,
  { caller, ...about }: Pick<ConfigVersionRow, 'config_id' | 'number' | 'created_at'> & { readonly caller: KeyScope },
): Promise<ConfigVersionRow> => {
  const owner = { id: newId(about.created_at), workspace_id: caller.tenant, created_by: caller.keyId ?? null };
  const literals = { value, pointers: result.secretPlaces, at: placeOfVersion(owner) };
  const { text, sealed } = await sealLiterals(sealer, literals);
  return { ...about, ...owner, text, sealed: JSON.stringify(sealed) };
};

/** Whether all guardrails and providers that a validated config names still exist. */
const stillHolds = async (
  { overlay }: Pick<ControlParts, 'overlay'>,
  writing: Writing,
  { caller, validated }: { readonly caller: KeyScope; readonly validated: ValidatedConfig },
): Promise<boolean> => {
  const { result } = validated;
  const guardrails = validated.guardrails.filter((name) => !Object.hasOwn(overlay.saved.guardrails, name));
  if ((await missingGuardrails(writing, caller, guardrails)).length > 0) return false;
  const names = result.plan === undefined ? [] : namedProviders(result.plan);
  return (await missingProviders(writing, { tenant: caller.tenant, overlay, names })).length === 0;
};

export interface NewConfig {
  readonly name: string;
  readonly config: JsonObject;
  readonly slug?: string | undefined;
  readonly is_default: boolean;
}

/** A config that a request names, by its id or slug. */
export interface NamedConfig {
  readonly caller: KeyScope;
  readonly name: string;
  readonly precondition?: Precondition;
}

/** The text of a new version: a new text, or that of an earlier version with its secrets. */
export interface ConfigText {
  readonly config?: JsonObject | undefined;
  readonly version?: number | undefined;
  readonly name?: string | undefined;
  /** The current slug, which never changes. */
  readonly slug?: string | undefined;
}

/** A saved config, and the diagnostics of the compiler; none if its text did not change. */
export interface SavedConfig {
  readonly row: ConfigRow;
  readonly validated?: ValidatedConfig | undefined;
}

/** The numbers of two versions. */
export interface ComparedVersions {
  readonly before: number;
  readonly after: number;
}

/** A version of a config, and the plan that it currently compiles to. */
export interface CompiledVersion {
  readonly slug: string;
  readonly version: number;
  readonly plan: RoutingPlan;
}

/** When a request was served, in milliseconds since the epoch, and by which plan: `name@hash`, where the hash is shortened. */
export interface ServedRequest {
  readonly at: number;
  readonly plan: string;
}

/** The operations on the configs of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface ConfigService {
  /** Compiles a new config, which may have errors, without saving anything. */
  tryNew(caller: KeyScope, body: NewConfig): Promise<ValidatedConfig>;
  create(caller: KeyScope, body: NewConfig): Promise<SavedConfig>;
  /** Lists all configs; if `isDefault` is given, only the default one, or only the others. */
  list(caller: KeyScope, page: SearchedPage, isDefault?: boolean): Promise<PageResult<ConfigRow>>;
  get(named: NamedConfig): Promise<{ readonly row: ConfigRow; readonly inService: ConfigVersionRow }>;
  versions(named: NamedConfig, page: ResourcePage): Promise<PageResult<ConfigVersionRow>>;
  /** Compiles a new version, or the version in use if the change has neither a text nor a version, without saving anything. */
  tryChange(named: NamedConfig, change: ConfigText): Promise<ValidatedConfig>;
  /** Compiles a version; if none is named, the one in use. Rejects with the `GatewayError` `conflict` if it now has errors. */
  compileVersion(named: NamedConfig, version?: number): Promise<CompiledVersion>;
  /**
   * Returns the version that served a request: the one that compiles to its plan, or otherwise the one that was the newest at
   * that time. Undefined if there is none, or if it now has errors.
   */
  findServing(named: NamedConfig, served: ServedRequest): Promise<CompiledVersion | undefined>;
  /** Compares the behaviour of two versions of a config; if none are named, the one in use and the one before it. */
  compareVersions(
    named: NamedConfig,
    versions: Partial<ComparedVersions>,
  ): Promise<ComparedVersions & { readonly comparison: PlanComparison }>;
  /** Compares the behaviour of the version in use with that of a validated text; null if one of the two has errors. */
  compareChange(named: NamedConfig, validated: ValidatedConfig): Promise<PlanComparison | null>;
  /** Changes a config. Each change with a text creates a new version. */
  update(named: NamedConfig, body: Partial<NewConfig> & ConfigText): Promise<SavedConfig>;
  remove(named: NamedConfig): Promise<void>;
  /** Lists the secrets of the version in use. */
  secrets(named: NamedConfig): Promise<SecretsOfRecord>;
}

/** The maximum time until a gateway sees a change, in milliseconds. */
const followingMs = 1000;

export const createConfigService = (parts: ControlParts): ConfigService => {
  const { store, now, overlay, comparePlans } = parts;

  const find = async (db: Reading, { caller, name, precondition }: NamedConfig): Promise<ConfigRow> => {
    const row = await configStore.get(db, caller.tenant, name);
    refuseChanged(row, { precondition, what: 'config', name });
    return row;
  };

  const validateNew = ({ tenant }: KeyScope, slug: string, config: JsonObject): Promise<ValidatedConfig> =>
    validateConfig(parts, { tenant, slug, config });

  const validateChange = async ({ tenant }: KeyScope, row: ConfigRow, { name, config, version, slug }: ConfigText) => {
    refuse(newNameErrors({ name }, row));
    refuseOtherValues('config', row, { slug });
    const inService = await versionInService(store.db, row);
    const from = version === undefined ? inService : await configStore.getVersion(store.db, row, version);
    const before = storedValue(from);
    const wanted = { tenant, slug: row.slug, config: config ?? before.value, before };
    return { inService, validated: await validateConfig(parts, wanted) };
  };

  /** Returns the plan that a version currently compiles to; undefined if it has errors. */
  const planOfVersion = async ({ workspace_id, slug }: ConfigRow, version: ConfigVersionRow) => {
    const before = storedValue(version);
    const tenant = workspace_id as TenantId;
    return (await validateConfig(parts, { tenant, slug, config: before.value, before })).result.plan;
  };

  const compiled = async (row: ConfigRow, version: ConfigVersionRow): Promise<CompiledVersion> => {
    const { slug } = row;
    const plan = await planOfVersion(row, version);
    if (plan !== undefined) return { slug, version: version.number, plan };
    throw conflict(
      `Version ${version.number} of the config "${slug}" has errors now: what it names has changed or is gone.`,
      'Save what it names again, or name another version.',
    );
  };

  return {
    async tryNew(caller, { name, slug = newSlug(name, 'pc'), config }) {
      refuse(newNameErrors({ name }));
      return validateNew(caller, slug, config);
    },

    async create(caller, { name, slug = newSlug(name, 'pc'), config, is_default }) {
      refuse(newNameErrors({ name }));
      if ([...overlay.configNames()].includes(slug))
        throw conflict(`The gateway's own files have a config "${slug}".`, 'Choose another slug.');
      return untilWritten(async () => {
        const validated = await validateNew(caller, slug, config);
        refuseErrors(validated);
        const created_at = now();
        const id = newId(created_at);
        const version = await sealedVersion(parts, validated, { caller, config_id: id, number: 1, created_at });
        const row: ConfigRow = {
          ...{ id, workspace_id: caller.tenant, slug, name, is_default: is_default ? 1 : 0, version_id: version.id },
          ...{ created_at, updated_at: created_at },
        };
        const isWritten = await configStore.create(store, { row, version }, async (writing) => {
          if (!(await stillHolds(parts, writing, { caller, validated }))) return false;
          await clearOtherDefault(writing, row);
          return true;
        });
        return isWritten ? { row, validated } : undefined;
      }, changedMeanwhile);
    },

    list: ({ tenant }, page, isDefault) =>
      configStore.list(
        store,
        { workspace_id: tenant, ...(isDefault === undefined ? {} : { is_default: isDefault ? 1 : 0 }) },
        page,
      ),

    async get(named) {
      const row = await find(store.db, named);
      return { row, inService: await versionInService(store.db, row) };
    },

    async secrets(named) {
      const row = await find(store.db, named);
      return { id: row.id, secrets: literalSecrets(storedValue(await versionInService(store.db, row)), 'config') };
    },

    versions: async (named, page) => configStore.listVersions(store.db, await find(store.db, named), page),

    tryChange: async (named, change) =>
      (await validateChange(named.caller, await find(store.db, named), change)).validated,

    async compileVersion(named, number) {
      const row = await find(store.db, named);
      const version =
        number === undefined
          ? await versionInService(store.db, row)
          : await configStore.findNamedVersion(store.db, row, number);
      return compiled(row, version);
    },

    async findServing({ caller, name }, { at, plan: label }) {
      const row = await configStore.find(store.db, caller.tenant, name);
      if (row === undefined) return undefined;
      let newest: CompiledVersion | undefined;
      for (const version of await versionsUntil(store.db, row, at + followingMs)) {
        const plan = await planOfVersion(row, version);
        if (plan === undefined) continue;
        const candidate = { slug: row.slug, version: version.number, plan };
        if (isPlanLabel(label, plan)) return candidate;
        if (version.created_at <= at) newest ??= candidate;
      }
      return newest;
    },

    async compareVersions(named, versions) {
      const row = await find(store.db, named);
      const inService = await versionInService(store.db, row);
      const { after = inService.number, before = Math.max(1, after - 1) } = versions;
      const planOf = async (number: number): Promise<RoutingPlan> =>
        (await compiled(row, await configStore.getVersion(store.db, row, number))).plan;
      const plans = [await planOf(before), await planOf(after)] as const;
      return { before, after, comparison: await comparePlans(row.workspace_id, ...plans) };
    },

    async compareChange(named, { result: { plan } }) {
      if (plan === undefined) return null;
      const row = await find(store.db, named);
      const inService = await planOfVersion(row, await versionInService(store.db, row));
      return inService === undefined ? null : comparePlans(row.workspace_id, inService, plan);
    },

    update: (named, { name, is_default, ...change }) => {
      const { caller } = named;
      const newVersion = async (row: ConfigRow, created_at: number) => {
        const { inService, validated } = await validateChange(caller, row, change);
        refuseErrors(validated);
        const about = { caller, config_id: row.id, number: configStore.nextNumber(row, inService.number), created_at };
        return { validated, version: await sealedVersion(parts, validated, about) };
      };
      return untilWritten(async () => {
        const before = await find(store.db, named);
        refuse(newNameErrors({ name }, before));
        refuseOtherValues('config', before, { slug: change.slug });
        const createdAt = now();
        const isNew = change.config !== undefined || change.version !== undefined;
        const made = isNew ? await newVersion(before, createdAt) : undefined;
        const row: ConfigRow = {
          ...before,
          name: name ?? before.name,
          is_default: is_default === undefined ? before.is_default : (Number(is_default) as 0 | 1),
          version_id: made?.version.id ?? before.version_id,
          updated_at: laterThan(before, createdAt),
        };
        return store.write(async (writing) => {
          const current = await configStore.get(writing, caller.tenant, row.id);
          if (current.updated_at !== before.updated_at) return undefined;
          if (made && !(await stillHolds(parts, writing, { caller, validated: made.validated }))) return undefined;
          await clearOtherDefault(writing, row);
          await configStore.change(store, writing, { row, version: made?.version });
          return { row, validated: made?.validated };
        });
      }, changedMeanwhile);
    },

    remove: (named) =>
      store.write(async (writing) => {
        const config = await find(writing, named);
        const uses = await usesOfConfig(writing, { config, organisation: named.caller.organisation, now: now() });
        refuseUses(uses, `The config "${config.slug}" is used by`, 'Let them use another config first.');
        await configStore.remove(store, writing, config);
      }),
  };
};
