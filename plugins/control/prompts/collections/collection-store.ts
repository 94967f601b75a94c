import { countOf, type Listed, type Part, partOf, type Reading } from '../../saved/records.ts';
import type { Writing } from '../../store/store.ts';
import type { CollectionRow } from '../../store/tables.ts';

const inWorkspace = (db: Reading, tenant: string) => db.selectFrom('collections').where('workspace_id', '=', tenant);

/** The collection of a workspace with an id. */
export const findCollection = (db: Reading, tenant: string, id: string): Promise<CollectionRow | undefined> =>
  inWorkspace(db, tenant).selectAll().where('id', '=', id).executeTakeFirst();

export const countCollections = (db: Reading, tenant: string): Promise<number> => countOf(inWorkspace(db, tenant));

/** The collections of a workspace, the newest first. */
export const listCollections = (db: Reading, tenant: string, part: Part): Promise<Listed<CollectionRow>> =>
  partOf(inWorkspace(db, tenant).selectAll().orderBy('id', 'desc'), part);

export const insertCollection = async (writing: Writing, row: CollectionRow): Promise<void> => {
  await writing.insertInto('collections').values(row).execute();
};

export const changeCollection = async (
  writing: Writing,
  { id, workspace_id, name, updated_at }: CollectionRow,
): Promise<void> => {
  await writing
    .updateTable('collections')
    .set({ name, updated_at })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute();
};

export const deleteCollection = async (writing: Writing, { id, workspace_id }: CollectionRow): Promise<void> => {
  await writing.deleteFrom('collections').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
};
