import { AsyncLocalStorage } from 'node:async_hooks';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { type Store, StoreError, type Writing } from './store.ts';
import type { Feed, FollowedFeed, Tables } from './tables.ts';
import { waitAtMost } from './wait-at-most.ts';

/** The feeds whose changes belong to tenants, and the table that notes when each tenant's last change was made. */
const notes = { plans: 'tenant_versions', policies: 'limit_versions' } as const;

/** Stands for every tenant in these tables, if a change names none. */
export const everyTenant = '*';

/** Notes which tenant's change created the current version of a feed. */
const noteTenant = async (writing: Writing, feed: keyof typeof notes, tenant: string = everyTenant): Promise<void> => {
  await writing
    .insertInto(notes[feed])
    .columns(['tenant', 'version'])
    .expression((from) =>
      from
        .selectFrom('feeds')
        .select([sql.val(tenant).as('tenant'), 'version'])
        .where('name', '=', feed),
    )
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet({ version: (update) => update.ref('excluded.version') }),
    )
    .execute();
};

/** Reads the versions of all followed feeds. It runs several times a second, so its statement is prepared only once. */
const versionReader = (db: Kysely<Tables>): Store['versions'] => {
  const statement = db.selectFrom('feeds').selectAll().compile();
  return async () => {
    const { rows } = await db.executeQuery(statement);
    const toVersion = (feed: FollowedFeed): number => rows.find(({ name }) => name === feed)?.version ?? 0;
    return { keys: toVersion('keys'), plans: toVersion('plans'), policies: toVersion('policies') };
  };
};

const reading: readonly string[] = ['SelectQueryNode', 'SetOperationNode', 'RawNode'];

/** Refuses to write outside of a transaction, in both databases. */
export const readsOnly: KyselyPlugin = {
  transformQuery({ node }) {
    if (reading.includes(node.kind)) return node;
    throw new TypeError('The store is written by store.write alone; store.db is for reading.');
  },
  transformResult: async ({ result }) => result,
};

/** The parts of a database that differ between SQLite and PostgreSQL. */
export interface Database {
  readonly kind: Store['kind'];
  /** The location shown to people. */
  readonly where: string;
  readonly reader: Kysely<Tables>;
  transact<Result>(run: (writing: Writing) => Promise<Result>): Promise<Result>;
  perform(job: URL, bytes: Uint8Array): Promise<void>;
  /** Notifies other processes when the transaction has succeeded. */
  announce(writing: Writing, feed: Feed): Promise<void>;
  watch(run: () => void): () => void;
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates a store from a database whose tables exist. */
export const toStore = (database: Database): Store => {
  const { kind, where } = database;
  const running = new Set<Promise<unknown>>();
  const inside = new AsyncLocalStorage<{ open: boolean }>();
  let closing: Promise<void> | undefined;

  const transact = <Result>(run: (writing: Writing) => Promise<Result>): Promise<Result> =>
    database.transact((writing) => {
      const scope = { open: true };
      return inside
        .run(scope, () => run(writing))
        .finally(() => {
          scope.open = false;
        });
    });

  const begun = async <Result>(begin: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new StoreError(`The store ${where} is closed.`);
    if (inside.getStore()?.open === true) throw new TypeError('A write of the store is inside another one.');
    const result = begin();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  return {
    kind,
    db: database.reader.withPlugin(readsOnly),
    write: (run) => begun(() => transact(run)),
    perform: (job, bytes) => begun(() => database.perform(job, bytes)),
    async bump(writing, feed, tenant) {
      await writing.updateTable('feeds').set({ version: sql<number>`version + 1` }).where('name', '=', feed).execute();
      if (feed === 'plans' || feed === 'policies') await noteTenant(writing, feed, tenant);
      await database.announce(writing, feed);
    },
    versions: versionReader(database.reader),
    watch: (run) => database.watch(run),
    backup: (file) => database.backup(file),
    /** Waits at most five seconds for writes in progress. */
    close() {
      closing ??= waitAtMost(running, 5000).then(() => database.close());
      return closing;
    },
  };
};
