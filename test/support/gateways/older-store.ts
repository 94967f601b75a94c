import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import { keyHash, keyMask } from '../../../plugins/control/access/keys/key-text.ts';
import { scopes } from '../../../plugins/control/kernel/requests/scopes.ts';
import { migrate } from '../../../plugins/control/kernel/store/migrations/migrate.ts';
import { migrations } from '../../../plugins/control/kernel/store/migrations/migrations.ts';
import { newId } from '../../../plugins/control/kernel/store/new-id.ts';
import { readStoreUrl } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { importPg, openPool } from '../../../plugins/control/kernel/store/postgres/pool.ts';
import { startSqliteThread, threadDialect } from '../../../plugins/control/kernel/store/sqlite/sqlite-thread.ts';
import type { Tables } from '../../../plugins/control/kernel/store/tables.ts';

interface OpenedTables<Database> {
  readonly kind: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

const opened = <Database>(
  kind: OpenedTables<Database>['kind'],
  dialect: Dialect,
  end: () => Promise<void>,
): OpenedTables<Database> => {
  const db = new Kysely<Database>({ dialect });
  const close = async (): Promise<void> => {
    await db.destroy();
    await end();
  };
  return { kind, db, close };
};

/** Opens the tables of a store as they are, whichever version wrote them. */
export const openTables = async <Database = Tables>(url: string): Promise<OpenedTables<Database>> => {
  const at = readStoreUrl(url);
  if (at.kind === 'sqlite') {
    const thread = startSqliteThread(at.file);
    await thread.ask({ kind: 'open', file: at.file, serving: false });
    return opened('sqlite', threadDialect(thread, 'writer'), () => thread.end());
  }
  const timeouts = { connect: 5000, statement: 10_000 };
  const pool = openPool(await importPg(), { url: at.url, where: at.where, timeouts });
  return opened('postgres', new PostgresDialect({ pool }), async () => {});
};

const now = Date.now();
const times = { created_at: now, updated_at: now };
const [organisation, workspace, config, version, prompt] = Array.from({ length: 5 }, () => newId(now)) as [
  string,
  string,
  string,
  string,
  string,
];
const named = (slug: string) => ({ workspace_id: workspace, slug, name: slug, ...times });
const made = { workspace_id: workspace, number: 1, created_by: null, created_at: now };
const content = { content: { string: 'Greet {{who}}.', parameters: {}, virtual_key: '@old' }, partials: [] };

/**
 * The rows that a version with only the first migration has saved: an admin key, and a provider, a config and a prompt called
 * `old`.
 */
const toRows = (adminKey: string): readonly (readonly [keyof Tables, object])[] => [
  ['organisations', { id: organisation, name: 'default', settings: '{}', ...times }],
  [
    'workspaces',
    { id: workspace, organisation_id: organisation, settings: '{}', slug: 'default', name: 'd', ...times },
  ],
  [
    'keys',
    {
      ...{ id: newId(now), organisation_id: organisation, workspace_id: null, kind: 'organisation', user_id: null },
      ...{ name: 'admin', hash: keyHash(adminKey), mask: keyMask(adminKey), scopes: JSON.stringify(scopes) },
      ...{ defaults: '{}', status: 'active', expires_at: null, previous_hash: null, previous_until: null },
      ...{ rotation: null, created_by: null, ...times },
    },
  ],
  [
    'providers',
    {
      ...{ id: newId(now), ...named('old'), kind: 'provider', integration_id: null, provider: 'echo', settings: '{}' },
      ...{ credential: null, origins: '[]', note: null, expires_at: null, status: 'active' },
    },
  ],
  ['configs', { id: config, ...named('old'), is_default: 0, version_id: version }],
  ['config_versions', { id: version, config_id: config, ...made, text: '{"provider":"@old"}', sealed: '{}' }],
  ['prompts', { id: prompt, ...named('old'), collection_id: null, published: 1 }],
  [
    'prompt_versions',
    { id: newId(now), prompt_id: prompt, ...made, content: JSON.stringify(content), description: null },
  ],
];

/** Creates a store with only the first migrations, with rows in it. */
export const readMakeStore = async (
  url: string,
  migrated: number,
  rows: readonly (readonly [table: string, row: object])[],
): Promise<void> => {
  const { kind, db, close } = await openTables(url);
  const first = migrations.slice(0, migrated);
  await migrate({ kind, where: url, migrations: first, alone: (run) => db.transaction().execute(run) });
  for (const [table, row] of rows)
    await db
      .insertInto(table as keyof Tables)
      .values(row as never)
      .execute();
  await close();
};

/** Creates a store as a version with only the first migration would. */
export const makeOlderStore = (url: string, adminKey: string): Promise<void> => readMakeStore(url, 1, toRows(adminKey));

/** Leaves a store as a newer version would: with a migration that this version does not know. */
export const makeNewer = async (url: string): Promise<void> => {
  const { db, close } = await openTables(url);
  await sql`insert into migrations (number, name, at) values (${migrations.length + 1}, 'newer', 0)`.execute(db);
  await close();
};

/** Returns the numbers of the migrations that have been applied to a store. */
export const readMigrations = async (url: string): Promise<readonly number[]> => {
  const { db, close } = await openTables(url);
  const { rows } = await sql<{ number: number }>`select number from migrations order by number`.execute(db);
  await close();
  return rows.map(({ number }) => number);
};
