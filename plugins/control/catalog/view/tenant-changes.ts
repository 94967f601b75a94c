import type { Store } from '../../kernel/store/store.ts';
import { everyTenant } from '../../kernel/store/to-store.ts';

/** When the records of a tenant were read. */
export interface ReadAt {
  /** The version of the feed 'plans' that they have at least. */
  readonly version: number;
  /** How often `forget` had been called by then. */
  readonly era: number;
}

/** The most tenants of which it is remembered when they changed. */
const maxTenants = 100_000;

/**
 * Remembers by the versions of the feed 'plans' when each tenant changed: times of day, which differ between processes,
 * say nothing here.
 */
export class TenantChanges {
  readonly #store: Pick<Store, 'db' | 'versions'>;
  readonly #changed = new Map<string, number>();
  /** The last of these. */
  #lastChange = -1;
  #version = -1;
  #era = 0;
  /** Looks are numbered as they begin; another may end first. */
  #begun = 0;
  #ended = 0;
  /** The last look that had begun when all was to be forgotten, and the one that last did. */
  #toForget = 0;
  #forgotten = 0;

  constructor(store: Pick<Store, 'db' | 'versions'>) {
    this.#store = store;
  }

  get era(): number {
    return this.#era;
  }

  /** The version that the store had at the last look; -1 before the first. */
  get version(): number {
    return this.#version;
  }

  /** Asks the store what has changed since the last time. Rejects if it is unavailable. */
  async look(): Promise<void> {
    this.#begun += 1;
    const order = this.#begun;
    const since = this.#version;
    const { plans } = await this.#store.versions();
    const changes = this.#store.db.selectFrom('tenant_versions').selectAll().where('version', '>', since);
    const rows = since < 0 || plans <= since ? [] : await changes.execute();
    if (order < this.#ended) return;
    this.#ended = order;
    // A store that was restored is at an earlier version.
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

  /** Has the next look forget all: what was read before it is not current then, whatever the store says. */
  forget(): void {
    this.#toForget = this.#begun;
  }

  /** Returns whether nothing is known to have changed since a workspace and its organisation were read. */
  isCurrent(read: ReadAt, ids: readonly string[]): boolean {
    return (
      read.era === this.#era &&
      (this.#lastChange <= read.version ||
        (ids.every((id) => this.#isSeen(id, read)) && this.#isSeen(everyTenant, read)))
    );
  }

  /** Asks the store for the last change of a workspace and its organisation. */
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
