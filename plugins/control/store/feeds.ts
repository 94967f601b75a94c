import { type Kysely, sql } from 'kysely';
import type { Writing } from './store.ts';
import type { Feed, Tables } from './tables.ts';

export const bumpFeed = async (writing: Writing, feed: Feed): Promise<void> => {
  await writing.updateTable('feeds').set({ version: sql<number>`version + 1` }).where('name', '=', feed).execute();
};

export const readVersions = async (db: Kysely<Tables>): Promise<Readonly<Record<Feed, number>>> => {
  const rows = await db.selectFrom('feeds').selectAll().execute();
  const versionOf = (feed: Feed): number => rows.find(({ name }) => name === feed)?.version ?? 0;
  return { keys: versionOf('keys'), plans: versionOf('plans'), policies: versionOf('policies') };
};
