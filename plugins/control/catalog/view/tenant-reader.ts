import type { Saved } from '../../../../schema/config/saved.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import type { TenantConfig, TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import { storedSettings } from '../../access/identity/places/stored-settings.ts';
import { byNames } from '../../kernel/records/saved-parts.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { ConfigTexts } from './config-texts.ts';
import type { FindPrompts, TenantPromptHeads } from './known-prompts.ts';
import { type ConfigHead, readRows, type TenantRows } from './read-rows.ts';
import type { ReadAt, TenantChanges } from './tenant-changes.ts';
import { type TenantSnapshot, toThings } from './tenant-snapshot.ts';

/** A tenant as it was read. */
export interface KnownTenant {
  /** The ids of the workspace and of its organisation: a change of either concerns it. */
  readonly ids: readonly string[];
  readonly readAt: ReadAt;
  /** When something of it expires, in milliseconds since the epoch; Infinity if nothing does. */
  readonly until: number;
  readonly things: TenantSnapshot;
  readonly view: TenantView;
  readonly prompts: TenantPromptHeads;
  /** Whether it has saved nothing. */
  readonly isEmpty: boolean;
  /** Its size in memory, roughly. */
  readonly bytes: number;
}

export interface TenantReaderOptions {
  readonly store: Pick<Store, 'db' | 'versions'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly overlay: Saved;
  readonly catalogue: Catalogue;
  readonly texts: ConfigTexts;
  readonly prompts: FindPrompts;
  readonly changes: TenantChanges;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface TenantReader {
  /** Reads a tenant. What has not changed is taken from what was known before. */
  read(tenant: string, before: KnownTenant | undefined): Promise<KnownTenant>;
}

const toView = (
  {
    tenant,
    rows: { configs, settings },
    things,
  }: { readonly tenant: string; readonly rows: TenantRows; readonly things: TenantSnapshot },
  { texts, prompts }: Pick<TenantReaderOptions, 'texts' | 'prompts'>,
): TenantView => {
  const { version, saved, secrets, defaultGuardrails } = things;
  const toConfig = ({ slug, version_id: id }: ConfigHead): TenantConfig => ({
    name: slug,
    version: id,
    text: () => texts.get({ tenant, id, name: slug }),
  });
  const byName = new Map(Object.entries(byNames(configs.map((head) => ({ ...head, value: toConfig(head) })))));
  const slugs = configs.map(({ slug }) => slug);
  // What the workspace names, or else the config that says of itself that it is the default, or what the organisation names.
  const defaultConfig =
    storedSettings(settings.workspace).config ??
    configs.find(({ is_default }) => is_default === 1)?.slug ??
    storedSettings(settings.organisation).config;
  return {
    version,
    saved,
    secrets,
    prompts: (references) => prompts(tenant as TenantId, references),
    config: (name) => byName.get(name),
    configNames: () => slugs,
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
    ...(defaultGuardrails === undefined ? {} : { defaultGuardrails }),
  };
};

/** How often a tenant that changes while it is read is read again. */
const maxTries = 3;

/** An entry of the index of configs or prompts, and a tenant without anything, in bytes. */
const headBytes = 800;
const tenantBytes = 1000;

const nothing: TenantRows = {
  organisation: '',
  settings: { organisation: '{}', workspace: '{}' },
  providers: [],
  integrations: [],
  guardrails: [],
  configs: [],
  prompts: [],
  promptHeads: [],
};

const nextExpiry = ({ providers }: TenantRows, now: number): number =>
  Math.min(...providers.flatMap(({ expires_at }) => (expires_at === null || expires_at <= now ? [] : [expires_at])));

export const createTenantReader = (options: TenantReaderOptions): TenantReader => {
  const { store, changes } = options;

  /** Rows of one time: no change was between the first and the last of them. */
  const readOnce = async (
    tenant: string,
    triesLeft: number,
  ): Promise<{ readonly rows: TenantRows; readonly readAt: ReadAt }> => {
    const { era } = changes;
    const { plans: version } = await store.versions();
    const rows = (await readRows(store.db, tenant)) ?? nothing;
    if (triesLeft > 1 && (await changes.findLast([tenant, rows.organisation])) > version)
      return readOnce(tenant, triesLeft - 1);
    return { rows, readAt: { version, era } };
  };

  return {
    async read(tenant, before) {
      const { rows, readAt } = await readOnce(tenant, maxTries);
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
    },
  };
};
