import type { Store } from '../../kernel/store/store.ts';
import { everyTenant } from '../../kernel/store/to-store.ts';

/** When the records of a tenant were read. */
export interface ReadAt {
  /** The version of the feed 'plans' that they have at least. */
  readonly version: number;
  /** How often `forget` had been called by then. */
  readonly era: number;
}

/**
 * Remembers by the versions of the feed 'plans' when each tenant changed: times of day, which differ between processes,
 * say nothing here.
 */
export interface TenantChanges {
  /** Asks the store what has changed since the last time. Rejects if it is unavailable. */
  look(): Promise<void>;
  /** Has the next look forget all: what was read before it is not current then, whatever the store says. */
  forget(): void;
  readonly era: number;
  /** The version that the store had at the last look; -1 before the first. */
  readonly version: number;
  /** Whether nothing is known to have changed since a workspace and its organisation were read. */
  isCurrent(read: ReadAt, ids: readonly string[]): boolean;
  /** Asks the store for the last change of a workspace and its organisation. */
  findLast(ids: readonly string[]): Promise<number>;
}

/** The most tenants of which it is remembered when they changed. */
const maxTenants = 100_000;

export const createTenantChanges = ({ db, versions }: Pick<Store, 'db' | 'versions'>): TenantChanges => {
  const changed = new Map<string, number>();
  /** The last of these. */
  let lastChange = -1;
  let version = -1;
  let era = 0;
  /** Looks are numbered as they begin; another may end first. */
  let begun = 0;
  let ended = 0;
  /** The last look that had begun when all was to be forgotten, and the one that last did. */
  let toForget = 0;
  let forgotten = 0;

  const isSeen = (id: string, read: ReadAt): boolean => (changed.get(id) ?? -1) <= read.version;

  return {
    async look() {
      begun += 1;
      const order = begun;
      const since = version;
      const { plans } = await versions();
      const changes = db.selectFrom('tenant_versions').selectAll().where('version', '>', since);
      const rows = since < 0 || plans <= since ? [] : await changes.execute();
      if (order < ended) return;
      ended = order;
      // A store that was restored is at an earlier version.
      if (forgotten <= toForget || plans < version || changed.size > maxTenants) {
        changed.clear();
        lastChange = -1;
        era += 1;
        forgotten = order;
      }
      for (const { tenant, version: at } of rows) {
        changed.set(tenant, Math.max(at, changed.get(tenant) ?? -1));
        lastChange = Math.max(lastChange, at);
      }
      version = plans;
    },
    forget() {
      toForget = begun;
    },
    get era() {
      return era;
    },
    get version() {
      return version;
    },
    isCurrent: (read, ids) =>
      read.era === era &&
      (lastChange <= read.version || (ids.every((id) => isSeen(id, read)) && isSeen(everyTenant, read))),
    async findLast(ids) {
      const { last: found } = await db
        .selectFrom('tenant_versions')
        .select(({ fn }) => fn.max<number | null>('version').as('last'))
        .where('tenant', 'in', [...ids, everyTenant])
        .executeTakeFirstOrThrow();
      return found ?? 0;
    },
  };
};
