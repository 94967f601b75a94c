import { namedPrompts } from '../../../../schema/config/named-prompts.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { Store } from '../../kernel/store/store.ts';
import { isUnavailable } from '../../kernel/store/store-asker.ts';

export interface ReadAheadOptions {
  readonly db: Store['db'];
  /** The most workspaces that are read before anybody asks for them; the newest are. */
  readonly most: number;
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
  /** Whether there is memory left for more: what requests have read does not make room. */
  readonly hasRoom: () => boolean;
}

/** Reads workspaces before the first request, so that they are served while the store is unavailable. */
export interface ReadAhead {
  /** Reads what is not current, one after another, where the version is another than at the last time. It never rejects. */
  look(version: number): Promise<void>;
  /** How many workspaces are not known, as far as the store has reported. */
  unread(): number;
  /** How many prompts of the workspaces that are known are not. */
  unreadPrompts(): number;
  close(): void;
}

export const createReadAhead = (options: ReadAheadOptions): ReadAhead => {
  const { db, most, asked, read, current, readPrompts, isKnown, hasRoom } = options;
  /** The views of which everything was read. */
  const whole = new WeakSet<TenantView>();
  let listed = { total: 0, last: '', ids: [] as readonly string[] };
  let readAt = -1;
  let state: 'idle' | 'reading' | 'closed' = 'idle';

  const isClosed = (): boolean => state === 'closed';

  const list = async () => {
    const { total, last } = await db
      .selectFrom('workspaces')
      .select(({ fn }) => [fn.countAll().as('total'), fn.max<string | null>('id').as('last')])
      .executeTakeFirstOrThrow();
    const known = { total: Number(total), last: last ?? '' };
    // Ids hold the time at which they were made.
    if (known.total === listed.total && known.last === listed.last) return listed;
    const rows = await db.selectFrom('workspaces').select('id').orderBy('id', 'desc').limit(most).execute();
    return { ...known, ids: rows.map(({ id }) => id) };
  };

  /** Leaves a row that cannot be read although the store answers to the requests that need it. */
  const unlessUnavailable = async (reading: Promise<unknown>): Promise<void> => {
    await reading.catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
    });
  };

  const readWhole = async (tenant: string): Promise<void> => {
    const view = await read(tenant);
    const references = new Set<string>();
    for (const name of view.configNames()) {
      if (isClosed() || !hasRoom()) return;
      await unlessUnavailable(
        Promise.resolve(view.config(name)?.text()).then((text = '{}') => {
          for (const reference of namedPrompts(text)) references.add(reference);
        }),
      );
    }
    await readPrompts(tenant, references);
    whole.add(view);
  };

  const readAll = async (): Promise<void> => {
    listed = await asked(list());
    for (const id of listed.ids) {
      if (isClosed() || !hasRoom()) return;
      const view = current(id);
      if (view === undefined || !whole.has(view)) await unlessUnavailable(readWhole(id));
    }
  };

  return {
    async look(version) {
      if (state !== 'idle' || version === readAt) return;
      state = 'reading';
      try {
        await readAll();
        readAt = version;
      } catch {
        // The next look that succeeds goes on.
      }
      if (!isClosed()) state = 'idle';
    },
    unread: () => listed.total - listed.ids.filter(isKnown).length,
    unreadPrompts: () => listed.ids.reduce((sum, id) => sum + options.unreadPrompts(id), 0),
    close() {
      state = 'closed';
    },
  };
};
