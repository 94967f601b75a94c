import type { Saved } from '../../../../schema/config/saved.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { ConfigTexts } from './config-texts.ts';
import type { FindPrompts } from './find-prompts.ts';
import { type PromptHead, readRows, type TenantRows } from './read-rows.ts';
import type { ReadAt, TenantChanges } from './tenant-changes.ts';
import { type TenantSnapshot, toThings } from './tenant-snapshot.ts';
import { toView } from './tenant-view.ts';

/** Which versions the prompts of a tenant have. */
export interface TenantPromptHeads {
  /** Changes whenever one of them, or a partial, does. */
  readonly version: string;
  readonly heads: readonly PromptHead[];
}

/** What is known of a tenant. */
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
  /** What it takes in memory, roughly. */
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
  const { store, texts, changes } = options;

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
      const view = toView({ tenant, rows, things, texts, prompts: options.prompts });
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
