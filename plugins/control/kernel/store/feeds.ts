import { type Kysely, sql } from 'kysely';
import type { Writing } from './store.ts';
import type { Feed, FollowedFeed, Tables } from './tables/tables.ts';

export const bumpFeed = async (writing: Writing, feed: Feed): Promise<void> => {
  await writing.updateTable('feeds').set({ version: sql<number>`version + 1` }).where('name', '=', feed).execute();
};

/** The feeds whose changes are of tenants, and where it is noted when those of each were made. */
const notes = { plans: 'tenant_versions', policies: 'limit_versions' } as const;

type NotedFeed = keyof typeof notes;

export const isNoted = (feed: Feed): feed is NotedFeed => Object.hasOwn(notes, feed);

/** Stands in the notes for every tenant, where a change names none. */
export const everyTenant = '*';

/** Notes the tenant whose change made the current version of a feed. */
export const noteTenant = async (writing: Writing, feed: NotedFeed, tenant: string = everyTenant): Promise<void> => {
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

export const readVersions = async (db: Kysely<Tables>): Promise<Readonly<Record<FollowedFeed, number>>> => {
  const rows = await db.selectFrom('feeds').selectAll().execute();
  const toVersion = (feed: FollowedFeed): number => rows.find(({ name }) => name === feed)?.version ?? 0;
  return { keys: toVersion('keys'), plans: toVersion('plans'), policies: toVersion('policies') };
};
