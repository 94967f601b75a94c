import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../sdk/clock.ts';
import type { Tenants, TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import { unreadableLine } from '../../kernel/records/unreadable-row.ts';
import type { Overlay } from '../../kernel/resource/control-parts.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { isId } from '../../kernel/store/new-id.ts';
import { Poll, type PollReport } from '../../kernel/store/poll.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createStoreAsker, storeUnavailable } from '../../kernel/store/store-asker.ts';
import { createPromptFinder, type PromptsOf } from '../prompts/prompts-of.ts';
import { createConfigTexts } from './config-texts.ts';
import { KnownPrompts } from './known-prompts.ts';
import { ReadAhead } from './read-ahead.ts';
import { Readings } from './readings.ts';
import { TenantChanges } from './tenant-changes.ts';
import { type KnownTenant, readTenant, type TenantReaderOptions } from './tenant-reader.ts';

export interface TenantsOptions {
  readonly store: Pick<Store, 'db' | 'versions' | 'watch'>;
  readonly sealer: Pick<Sealer, 'open'>;
  /** The records of the gateway file. */
  readonly overlay: Pick<Overlay, 'saved'>;
  /** The providers that the loaded plugins have. */
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Finds prompts, to share its cache with other callers; if absent, one is created. */
  readonly findPrompts?: PromptsOf;
  /** How often the store is queried for changes, in milliseconds. */
  readonly pollMs?: number;
  /**
   * The approximate memory for all tenants together, in bytes. Half of it is for the texts of configs. Prompts use another
   * quarter in addition.
   */
  readonly maxBytes?: number;
  /** How long the known state is used while the store is unavailable, in milliseconds. */
  readonly staleMs?: number;
  /** The maximum number of tenants that are read before they are needed; none if absent. */
  readonly maxAhead?: number;
  /** Writes a line for the operator; if absent, nothing is reported. */
  readonly say?: (text: string) => void;
  /** Notified of whether the store could be read. */
  readonly report?: PollReport;
}

export interface TenantsStatus {
  /** The version of the feed 'plans' in use; -1 before the first response of the store. */
  readonly version: number;
  /** When the store last confirmed the known state, in milliseconds since the epoch; -Infinity before it did. */
  readonly confirmedAt: number;
  /** Whether the store did not respond to the last query. */
  readonly isUnavailable: boolean;
  /** The number of tenants in memory, and the approximate bytes that they use, including the texts of their configs. */
  readonly tenants: number;
  readonly bytes: number;
  /** The number of workspaces in the store that are not in memory; 0 if none are read ahead. */
  readonly unread: number;
  /** The number of prompts of the other workspaces that are not in memory; 0 if none are read ahead. */
  readonly unreadPrompts: number;
}

export interface FollowedTenants extends Tenants {
  /**
   * Follows changes from now on. Rejects with the `GatewayError` `store-unavailable`, and follows nothing, if the store is
   * unavailable.
   */
  start(): Promise<void>;
  /**
   * Checks for changes until now, and reads the given tenant again if it is in use and has changed. If the store cannot be read,
   * that happens later.
   */
  lookNow(tenant?: TenantId): Promise<void>;
  close(): void;
  /** Returns what a tenant has saved at this moment. Rejects with the `GatewayError` `store-unavailable`. */
  viewNow(tenant: TenantId): Promise<TenantView>;
  /** Finds the prompts of tenants. While the store is unavailable, it finds those that were read before. */
  readonly findPrompts: PromptsOf;
  status(): TenantsStatus;
}

/** The maximum number of rows that are remembered as reported. */
const maxReported = 1000;

/** Reports a row that cannot be read only once, and again after it was changed. */
const unreadableReport = (say: (text: string) => void): TenantReaderOptions['reportUnreadable'] => {
  const reported = new LRUCache<string, true>({ max: maxReported });
  return (noun, { id, slug, updated_at }) => {
    const version = `${id} ${updated_at}`;
    if (reported.has(version)) return;
    reported.set(version, true);
    say(unreadableLine(noun, { id, name: slug }, 'requests that name it are refused', 'Save it again, or delete it'));
  };
};

const never = { wall: Number.NEGATIVE_INFINITY, monotonic: Number.NEGATIVE_INFINITY };

const served = ({ view, isEmpty }: KnownTenant): TenantView | undefined => (isEmpty ? undefined : view);

/**
 * Follows what tenants have saved in a store. Each tenant is read when it is first needed, kept in memory, and read again when it
 * has changed.
 */
export const createTenants = (options: TenantsOptions): FollowedTenants => {
  const { store, sealer, overlay, catalogue, clock, pollMs = 250, staleMs = 900_000, maxAhead = 0 } = options;
  const { maxBytes = 64 * 1024 * 1024, say = () => {}, report } = options;
  const changes = new TenantChanges(store);
  let isUnavailable = false;
  let confirmed = never;

  const asked = createStoreAsker({
    clock,
    onUnavailable: () => {
      // After an outage, the store may have lost what it had reported before, so everything is read again.
      changes.forget();
      isUnavailable = true;
    },
  });
  const look = async (): Promise<void> => {
    const now = { wall: clock.wall(), monotonic: clock.monotonic() };
    await asked(changes.look());
    isUnavailable = false;
    confirmed = now;
    if (maxAhead > 0) void ahead.look(changes.version);
  };
  const poll = new Poll({ clock, pollMs, watch: store.watch, ask: look, report });

  const texts = createConfigTexts({ db: store.db, sealer, maxBytes: maxBytes / 2, asked });
  const known = new LRUCache<string, KnownTenant>({
    maxSize: maxBytes / 2,
    // Limited, because the cache does not keep a view that is larger than itself.
    sizeCalculation: ({ bytes }) => Math.min(bytes, maxBytes / 2),
  });
  const isStale = (): boolean => clock.monotonic() - confirmed.monotonic > staleMs;
  const prompts = new KnownPrompts({
    findPrompts: options.findPrompts ?? createPromptFinder({ store, maxBytes: maxBytes / 8 }),
    asked,
    findHeads: (tenant) => known.peek(tenant)?.prompts,
    isStoreUnavailable: () => isUnavailable,
    isStale,
    maxBytes: maxBytes / 4,
  });
  const from: TenantReaderOptions = {
    ...{ store, sealer, catalogue, texts, prompts, changes },
    overlay: overlay.saved,
    now: () => clock.wall(),
    reportUnreadable: unreadableReport(say),
  };
  const isCurrent = ({ readAt, ids, until }: KnownTenant): boolean =>
    changes.isCurrent(readAt, ids) && (until === Number.POSITIVE_INFINITY || clock.wall() < until);
  const readings = new Readings({
    clock,
    isCurrent,
    read: async (tenant) => {
      const read = await asked(readTenant(tenant, known.peek(tenant), from));
      known.set(tenant, read);
      return read;
    },
  });
  const ahead = new ReadAhead({
    ...{ db: store.db, max: maxAhead, asked },
    read: async (tenant) => (await readings.current(tenant)).view,
    current: (tenant) => {
      const before = known.peek(tenant);
      return before !== undefined && isCurrent(before) ? before.view : undefined;
    },
    readPrompts: (tenant, references) => prompts.readAhead(tenant, references),
    unreadPrompts: (tenant) => prompts.unread(tenant),
    isKnown: (tenant) => known.has(tenant),
    hasRoom: () => known.calculatedSize < maxBytes / 4 && texts.calculatedSize < maxBytes / 4,
  });

  return {
    view(tenant) {
      const before = known.get(tenant);
      // The tenants of a gateway file's keys are in no store.
      if (before === undefined && !isId(tenant)) return undefined;
      if (isStale() || (before === undefined && isUnavailable)) return Promise.reject(storeUnavailable());
      if (before === undefined) return readings.current(tenant).then(served);
      if (isUnavailable || isCurrent(before)) return served(before);
      const read = readings.inTime(tenant, before);
      return read instanceof Promise ? read.then(served) : served(read);
    },
    async viewNow(tenant) {
      await look();
      const before = known.get(tenant);
      return (before !== undefined && isCurrent(before) ? before : await readings.current(tenant)).view;
    },
    status: () => ({
      version: changes.version,
      confirmedAt: confirmed.wall,
      isUnavailable,
      tenants: known.size,
      bytes: known.calculatedSize + texts.calculatedSize + prompts.bytes,
      unread: ahead.unread(),
      unreadPrompts: ahead.unreadPrompts(),
    }),
    findPrompts: prompts.of,
    start: () => poll.start(),
    async lookNow(tenant) {
      await poll.now();
      const before = tenant === undefined ? undefined : known.peek(tenant);
      if (tenant === undefined || before === undefined || isUnavailable || isCurrent(before)) return;
      await readings.current(tenant).catch(() => {});
    },
    close() {
      ahead.close();
      poll.close();
    },
  };
};
