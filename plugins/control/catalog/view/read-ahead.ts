import { namedPrompts } from '../../../../schema/config/named-prompts.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { Store } from '../../kernel/store/store.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';

export interface ReadAheadOptions {
  readonly db: Store['db'];
  /** The most workspaces that are read before anybody asks for them; the newest are. */
  readonly max: number;
  /** Waits for the store. */
  readonly asked: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  /** Reads a workspace, as requests do. */
  readonly read: (tenant: string) => Promise<TenantView>;
  /** Returns the view that was read, if the tenant has not changed since. */
  readonly current: (tenant: string) => TenantView | undefined;
  /** Reads its prompts, and the versions of them that these references name. */
  readonly readPrompts: (tenant: string, references: Iterable<string>) => Promise<void>;
  /** How many of its prompts were not read. */
  readonly unreadPrompts: (tenant: string) => number;
  /** Whether it was read at all, so that it is served while the store is unavailable. */
  readonly isKnown: (tenant: string) => boolean;
  /** Whether memory is left for more: what requests have read does not make room. */
  readonly hasRoom: () => boolean;
}

/** Leaves a row that cannot be read although the store answers to the requests that need it. */
const unlessUnavailable = (reading: Promise<unknown>): Promise<unknown> =>
  reading.catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
  });

/** Reads workspaces before the first request, so that they are served while the store is unavailable. */
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

  /** Reads what is not current, one after another, where the version is another than at the last time. It never rejects. */
  async look(version: number): Promise<void> {
    if (this.#state !== 'idle' || version === this.#readAt) return;
    this.#state = 'reading';
    try {
      await this.#readAll();
      this.#readAt = version;
    } catch {
      // The next look that succeeds goes on.
    }
    if (!this.#isClosed()) this.#state = 'idle';
  }

  /** Counts the workspaces that are not known, as far as the store has reported. */
  unread(): number {
    return this.#listed.total - this.#listed.ids.filter((id) => this.#options.isKnown(id)).length;
  }

  /** Counts the prompts of known workspaces that are not known. */
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
    // Ids hold the time at which they were created.
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
