import type { Saved } from '../../../../schema/config/saved.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { SecretRef } from '../../../../schema/plan/plan.ts';
import type { DefaultGuardrails, TenantConfig, TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import { indexBySlugAndId } from '../../kernel/records/saved-parts.ts';
import { storedSettings } from '../../kernel/records/stored-settings.ts';
import { type SealedSecret, SecretError } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { GuardrailRow, ProviderRow } from '../../kernel/store/tables.ts';
import { toGuardrailParts } from '../guardrails/saved-guardrails.ts';
import { toSavedProviders } from '../providers/to-saved-providers.ts';
import { type ConfigTexts, configText } from './config-texts.ts';
import type { KnownPrompts, TenantPromptHeads } from './known-prompts.ts';
import { type ConfigHead, readRows, type TenantRows } from './read-rows.ts';
import type { ReadAt, TenantChanges } from './tenant-changes.ts';

/**
 * Replaces slugs with the ids of guardrails, if they exist, so that a workspace's guardrail cannot replace its organisation's.
 */
const toIds = (
  names: readonly string[],
  guardrails: readonly GuardrailRow[],
  otherwise: (name: string) => string = (name) => name,
): readonly string[] =>
  names.map((name) => {
    const found = guardrails.find(({ id }) => id === name) ?? guardrails.find(({ slug }) => slug === name);
    return found?.id ?? otherwise(name);
  });

/**
 * Returns the replacement for a name that does not exist in the organisation. If the workspace has a guardrail of that name, it
 * must not be used instead, so the replacement is a name that no guardrail has: requests are refused until the name is free
 * again.
 */
const excludes =
  (own: readonly GuardrailRow[]) =>
  (name: string): string =>
    own.some(({ id, slug }) => id === name || slug === name) ? `${name} (of the organisation)` : name;

/** Reads the settings of the workspace and of its organisation. Throws like `storedSettings`. */
const readSettings = ({ workspace, organisation, settings }: TenantRows) => ({
  own: storedSettings('workspace', { id: workspace, settings: settings.workspace }),
  common: storedSettings('organisation', { id: organisation, settings: settings.organisation }),
});

/** Lists the default guardrails of the organisation, then those of the workspace, each once. */
const findDefaultGuardrails = (rows: TenantRows): DefaultGuardrails | undefined => {
  const { own, common } = readSettings(rows);
  const { guardrails } = rows;
  const ofOrganisation = guardrails.filter(({ workspace_id }) => workspace_id === null);
  const ofWorkspace = guardrails.filter(({ workspace_id }) => workspace_id !== null);
  const readIds = (part: 'input_guardrails' | 'output_guardrails'): readonly string[] => [
    ...new Set([
      ...toIds(common[part] ?? [], ofOrganisation, excludes(ofWorkspace)),
      ...toIds(own[part] ?? [], [...ofWorkspace, ...ofOrganisation]),
    ]),
  ];
  const [input, output] = [readIds('input_guardrails'), readIds('output_guardrails')];
  return input.length + output.length === 0 ? undefined : { input, output };
};

/** Everything that the plans of a tenant are compiled from, except the texts of configs. */
interface TenantSnapshot {
  /** The hash of everything here, with secrets as they are sealed. */
  readonly version: string;
  readonly saved: Saved;
  readonly secrets: (ref: SecretRef) => string | undefined;
  readonly defaultGuardrails?: DefaultGuardrails;
  /** Whether it contains only what the gateway file has. */
  readonly isEmpty: boolean;
  /** Its approximate size in memory, in bytes. */
  readonly bytes: number;
}

/** A saved record that cannot be read, so that requests that name it do not find it. */
export type UnreadableRow = Pick<ProviderRow | GuardrailRow, 'id' | 'slug' | 'updated_at'>;

export interface TenantReaderOptions {
  readonly store: Pick<Store, 'db' | 'versions'>;
  readonly sealer: Pick<Sealer, 'open'>;
  /** The records of the gateway file. */
  readonly overlay: Saved;
  readonly catalogue: Catalogue;
  readonly texts: ConfigTexts;
  readonly prompts: KnownPrompts;
  readonly changes: TenantChanges;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly reportUnreadable: (noun: string, row: UnreadableRow) => void;
}

/** Opens a secret. If that fails, the secret is missing where it is needed, but everything else can be used. */
const open = async (
  sealer: Pick<Sealer, 'open'>,
  { sealed, at, isJson }: SealedSecret,
): Promise<string | undefined> => {
  try {
    const text = await sealer.open(sealed, at);
    const value: Json = isJson === true ? fromJson(text) : text;
    return typeof value === 'string' ? value : text;
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};

const within = <Thing>(own: Readonly<Record<string, Thing>>, overlay: Readonly<Record<string, Thing>>) =>
  Object.keys(own).length === 0 ? overlay : { ...overlay, ...own };

/** The memory that an object with its texts uses, for each byte of its JSON. */
const perByte = 4;

/** Creates the snapshot of a tenant from its rows at a time in milliseconds. Returns the previous one if nothing has changed. */
const toThings = async (
  rows: TenantRows,
  { now, before }: { readonly now: number; readonly before: TenantSnapshot | undefined },
  { sealer, overlay, catalogue, reportUnreadable }: TenantReaderOptions,
): Promise<TenantSnapshot> => {
  const {
    providers,
    virtualKeys,
    unusable = {},
    secrets: ofProviders,
  } = toSavedProviders(rows, {
    ...{ now, catalogue },
    reportUnreadable: (row) => reportUnreadable(row.kind === 'provider' ? 'provider' : 'virtual key', row),
  });
  const { guardrails, secrets: ofGuardrails } = toGuardrailParts(rows.guardrails, (row) =>
    reportUnreadable('guardrail', row),
  );
  const secrets = new Map([...ofProviders, ...ofGuardrails]);
  const defaultGuardrails = findDefaultGuardrails(rows);
  const { prompts, promptHeads } = rows;
  const models = Object.fromEntries(rows.virtualModels.map(({ name, target }) => [name, target]));
  const own = {
    ...{ providers, virtualKeys, unusable, guardrails, defaultGuardrails, prompts, models },
    secrets: Object.fromEntries(secrets),
  };
  const version = hashValue(own);
  if (before?.version === version) return before;
  const opened = new Map(
    await Promise.all([...secrets].map(async ([ref, secret]) => [ref, await open(sealer, secret)] as const)),
  );
  return {
    version,
    saved: {
      providers: within(providers, overlay.providers),
      virtualKeys: within(virtualKeys, overlay.virtualKeys),
      guardrails: within(guardrails, overlay.guardrails),
      ...(Object.keys(unusable).length > 0 && { unusable }),
      prompts: { slugs: promptHeads.map(({ slug }) => slug), found: {} },
      ...(rows.virtualModels.length === 0 ? {} : { models }),
    },
    secrets: (ref) => opened.get(ref),
    ...(defaultGuardrails === undefined ? {} : { defaultGuardrails }),
    isEmpty:
      defaultGuardrails === undefined &&
      [providers, virtualKeys, unusable, guardrails, prompts, models].every(
        (things) => Object.keys(things).length === 0,
      ),
    bytes: JSON.stringify(own).length * perByte,
  };
};

/** A tenant as read. */
export interface KnownTenant {
  /** The ids of the workspace and of its organisation. A change of either concerns the tenant. */
  readonly ids: readonly string[];
  readonly readAt: ReadAt;
  /** When something in it next expires, in milliseconds since the epoch; Infinity if nothing does. */
  readonly until: number;
  readonly things: TenantSnapshot;
  readonly view: TenantView;
  readonly prompts: TenantPromptHeads;
  /** Whether it has saved nothing. */
  readonly isEmpty: boolean;
  /** Its approximate size in memory, in bytes. */
  readonly bytes: number;
}

const toView = (
  { tenant, rows, things }: { readonly tenant: string; readonly rows: TenantRows; readonly things: TenantSnapshot },
  { texts, prompts }: Pick<TenantReaderOptions, 'texts' | 'prompts'>,
): TenantView => {
  const { version, saved, secrets, defaultGuardrails } = things;
  const { configs } = rows;
  const { own, common } = readSettings(rows);
  const toConfig = ({ slug, version_id: id }: ConfigHead): TenantConfig => ({
    name: slug,
    version: id,
    text: () => configText(texts, { tenant, id, name: slug }),
  });
  const byName = new Map(Object.entries(indexBySlugAndId(configs.map((head) => ({ ...head, value: toConfig(head) })))));
  const slugs = configs.map(({ slug }) => slug);
  // The config that the workspace's settings name, otherwise the one that is marked as the default, or otherwise the
  // organisation's.
  const defaultConfig = own.config ?? configs.find(({ is_default }) => is_default === 1)?.slug ?? common.config;
  return {
    version,
    saved,
    secrets,
    prompts: (references) => prompts.findStored(tenant as TenantId, references),
    config: (name) => byName.get(name),
    configNames: () => slugs,
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
    ...(defaultGuardrails === undefined ? {} : { defaultGuardrails }),
  };
};

/** How often a tenant that changes while it is being read is read again. */
const maxTries = 3;

/** The size of an index entry of a config or prompt, and of an empty tenant, in bytes. */
const headBytes = 800;
const tenantBytes = 1000;

const nothing: TenantRows = {
  workspace: '',
  organisation: '',
  settings: { organisation: '{}', workspace: '{}' },
  providers: [],
  integrations: [],
  guardrails: [],
  configs: [],
  virtualModels: [],
  prompts: [],
  promptHeads: [],
};

const nextExpiry = ({ providers }: TenantRows, now: number): number =>
  Math.min(...providers.flatMap(({ expires_at }) => (expires_at === null || expires_at <= now ? [] : [expires_at])));

/** Reads rows as of one moment, with no change between the first and the last of them. */
const readAtOnce = async (
  tenant: string,
  { store, changes }: Pick<TenantReaderOptions, 'store' | 'changes'>,
  triesLeft: number = maxTries,
): Promise<{ readonly rows: TenantRows; readonly readAt: ReadAt }> => {
  const { era } = changes;
  const { plans: version } = await store.versions();
  const rows = (await readRows(store.db, tenant)) ?? nothing;
  if (triesLeft > 1 && (await changes.findLast([tenant, rows.organisation])) > version)
    return readAtOnce(tenant, { store, changes }, triesLeft - 1);
  return { rows, readAt: { version, era } };
};

/** Reads a tenant. Unchanged parts are taken from the previous state. */
export const readTenant = async (
  tenant: string,
  before: KnownTenant | undefined,
  options: TenantReaderOptions,
): Promise<KnownTenant> => {
  const { rows, readAt } = await readAtOnce(tenant, options);
  const now = options.now();
  const things = await toThings(rows, { now, before: before?.things }, options);
  const view = toView({ tenant, rows, things }, options);
  return {
    ids: [tenant, rows.organisation],
    readAt,
    until: nextExpiry(rows, now),
    things,
    view,
    prompts: { version: hashValue(rows.prompts), heads: rows.promptHeads },
    isEmpty: things.isEmpty && rows.configs.length === 0 && view.defaultConfig === undefined,
    bytes: tenantBytes + things.bytes + (rows.configs.length + rows.promptHeads.length) * headBytes,
  };
};
