import type { Store } from '../../kernel/store/store.ts';
import { everyTenant } from '../../kernel/store/to-store.ts';

/** When the records of a tenant were read. */
export interface ReadAt {
  /** The version of the feed 'plans' that they reflect at least. */
  readonly version: number;
  /** How often `forget` had been called by then. */
  readonly era: number;
}

/** The maximum number of tenants whose changes are remembered. */
const maxTenants = 100_000;

/**
 * Remembers when each tenant changed, by the version of the feed 'plans'. Wall-clock times differ between processes and are not
 * used.
 */
export class TenantChanges {
  readonly #store: Pick<Store, 'db' | 'versions'>;
  readonly #changed = new Map<string, number>();
  /** The highest of these versions. */
  #lastChange = -1;
  #version = -1;
  #era = 0;
  /** Calls of `look` are numbered as they begin, because a later one may end first. */
  #begun = 0;
  #ended = 0;
  /** The last call that had begun when everything was to be forgotten, and the last call that did forget. */
  #toForget = 0;
  #forgotten = 0;

  constructor(store: Pick<Store, 'db' | 'versions'>) {
    this.#store = store;
  }

  get era(): number {
    return this.#era;
  }

  /** The version of the store at the last look; -1 before the first. */
  get version(): number {
    return this.#version;
  }

  /** Queries the store for changes since the last call. Rejects if the store is unavailable. */
  async look(): Promise<void> {
    this.#begun += 1;
    const order = this.#begun;
    const since = this.#version;
    const { plans } = await this.#store.versions();
    const changes = this.#store.db.selectFrom('tenant_versions').selectAll().where('version', '>', since);
    const rows = since < 0 || plans <= since ? [] : await changes.execute();
    if (order < this.#ended) return;
    this.#ended = order;
    // A restored store has an earlier version.
    if (this.#forgotten <= this.#toForget || plans < this.#version || this.#changed.size > maxTenants) {
      this.#changed.clear();
      this.#lastChange = -1;
      this.#era += 1;
      this.#forgotten = order;
    }
    for (const { tenant, version } of rows) {
      this.#changed.set(tenant, Math.max(version, this.#changed.get(tenant) ?? -1));
      this.#lastChange = Math.max(this.#lastChange, version);
    }
    this.#version = plans;
  }

  /**
   * Makes the next call of `look` forget everything, so that what was read before is no longer current, whatever the store
   * reports.
   */
  forget(): void {
    this.#toForget = this.#begun;
  }

  /** Whether no change is known since a workspace and its organisation were read. */
  isCurrent(read: ReadAt, ids: readonly string[]): boolean {
    return (
      read.era === this.#era &&
      (this.#lastChange <= read.version ||
        (ids.every((id) => this.#isSeen(id, read)) && this.#isSeen(everyTenant, read)))
    );
  }

  /** Queries the store for the last change of a workspace and its organisation. */
  async findLast(ids: readonly string[]): Promise<number> {
    const { last } = await this.#store.db
      .selectFrom('tenant_versions')
      .select(({ fn }) => fn.max<number | null>('version').as('last'))
      .where('tenant', 'in', [...ids, everyTenant])
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  #isSeen(id: string, read: ReadAt): boolean {
    return (this.#changed.get(id) ?? -1) <= read.version;
  }
}
