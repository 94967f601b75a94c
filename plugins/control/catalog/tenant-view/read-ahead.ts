import { namedPrompts } from '../../../../schema/config/named-prompts.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { Store } from '../../kernel/store/store.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';

export interface ReadAheadOptions {
  readonly db: Store['db'];
  /** The maximum number of workspaces that are read before they are needed, starting with the newest. */
  readonly max: number;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  /** Reads a workspace, as requests do. */
  readonly read: (tenant: string) => Promise<TenantView>;
  /** Returns the view of a tenant if it was read and has not changed since. */
  readonly current: (tenant: string) => TenantView | undefined;
  /** Reads the prompts of a tenant, and the versions of them that these references name. */
  readonly readPrompts: (tenant: string, references: Iterable<string>) => Promise<void>;
  /** Returns how many of its prompts were not read. */
  readonly unreadPrompts: (tenant: string) => number;
  /** Whether it was read at all, so that it can be used while the store is unavailable. */
  readonly isKnown: (tenant: string) => boolean;
  /** Whether there is memory for more. Views that requests have read are not evicted for this. */
  readonly hasRoom: () => boolean;
}

/** Ignores a row that cannot be read although the store responds. The requests that need it will report it. */
const unlessUnavailable = (reading: Promise<unknown>): Promise<unknown> =>
  reading.catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
  });

/** Reads workspaces before the first request, so that they can be used while the store is unavailable. */
export class ReadAhead {
  readonly #options: ReadAheadOptions;
  /** The views of which everything was read. */
  readonly #whole = new WeakSet<TenantView>();
  #listed = { total: 0, last: '', ids: [] as readonly string[] };
  #readAt = -1;
  #state: 'idle' | 'reading' | 'closed' = 'idle';

  constructor(options: ReadAheadOptions) {
    this.#options = options;
  }

  /** Reads what is not current, one workspace after another, if the version differs from that of the last call. Never rejects. */
  async look(version: number): Promise<void> {
    if (this.#state !== 'idle' || version === this.#readAt) return;
    this.#state = 'reading';
    try {
      await this.#readAll();
      this.#readAt = version;
    } catch {
      // The next call that succeeds continues.
    }
    if (!this.#isClosed()) this.#state = 'idle';
  }

  /** Returns the number of workspaces that are not known, according to the last list from the store. */
  unread(): number {
    return this.#listed.total - this.#listed.ids.filter((id) => this.#options.isKnown(id)).length;
  }

  /** Returns the number of prompts of known workspaces that are not known. */
  unreadPrompts(): number {
    return this.#listed.ids.reduce((sum, id) => sum + this.#options.unreadPrompts(id), 0);
  }

  close(): void {
    this.#state = 'closed';
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  async #list() {
    const { db, max } = this.#options;
    const { total, last } = await db
      .selectFrom('workspaces')
      .select(({ fn }) => [fn.countAll().as('total'), fn.max<string | null>('id').as('last')])
      .executeTakeFirstOrThrow();
    const known = { total: Number(total), last: last ?? '' };
    // Ids contain the time at which they were created.
    if (known.total === this.#listed.total && known.last === this.#listed.last) return this.#listed;
    const rows = await db.selectFrom('workspaces').select('id').orderBy('id', 'desc').limit(max).execute();
    return { ...known, ids: rows.map(({ id }) => id) };
  }

  async #readAll(): Promise<void> {
    const { asked, current, hasRoom } = this.#options;
    this.#listed = await asked(this.#list());
    for (const id of this.#listed.ids) {
      if (this.#isClosed() || !hasRoom()) return;
      const view = current(id);
      if (view === undefined || !this.#whole.has(view)) await unlessUnavailable(this.#readWhole(id));
    }
  }

  async #readWhole(tenant: string): Promise<void> {
    const { read, readPrompts, hasRoom } = this.#options;
    const view = await read(tenant);
    const references = new Set<string>();
    for (const name of view.configNames()) {
      if (this.#isClosed() || !hasRoom()) return;
      await unlessUnavailable(
        Promise.resolve(view.config(name)?.text()).then((text = '{}') => {
          for (const reference of namedPrompts(text)) references.add(reference);
        }),
      );
    }
    await readPrompts(tenant, references);
    this.#whole.add(view);
  }
}
