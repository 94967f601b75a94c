import { type Kysely, sql } from 'kysely';
import type { Writing } from './store.ts';
import type { Feed, Tables } from './tables.ts';

export const bumpFeed = async (writing: Writing, feed: Feed): Promise<void> => {
  await writing.updateTable('feeds').set({ version: sql<number>`version + 1` }).where('name', '=', feed).execute();
};

/** What `tenant_versions` has for changes of which nobody said whose they are. */
export const everyTenant = '*';

/** Notes whose things made the version that the feed 'plans' has now. */
export const noteTenant = async (writing: Writing, tenant: string = everyTenant): Promise<void> => {
  await writing
    .insertInto('tenant_versions')
    .columns(['tenant', 'version'])
    .expression((from) =>
      from
        .selectFrom('feeds')
        .select([sql.val(tenant).as('tenant'), 'version'])
        .where('name', '=', 'plans'),
    )
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet({ version: (update) => update.ref('excluded.version') }),
    )
    .execute();
};

export const readVersions = async (db: Kysely<Tables>): Promise<Readonly<Record<Feed, number>>> => {
  const rows = await db.selectFrom('feeds').selectAll().execute();
  const versionOf = (feed: Feed): number => rows.find(({ name }) => name === feed)?.version ?? 0;
  return { keys: versionOf('keys'), plans: versionOf('plans'), policies: versionOf('policies') };
};
