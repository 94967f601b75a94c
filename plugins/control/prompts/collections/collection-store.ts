import type { Writing } from '../../store/store.ts';
import type { CollectionRow } from '../../store/tables.ts';
import type { Listed, Part, Reading } from '../prompt-store.ts';

/** The collection of a workspace with an id. */
export const findCollection = async (db: Reading, tenant: string, id: string): Promise<CollectionRow | undefined> =>
  await db
    .selectFrom('collections')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();

export const countCollections = async (db: Reading, tenant: string): Promise<number> => {
  const { total } = await db
    .selectFrom('collections')
    .select((select) => select.fn.countAll().as('total'))
    .where('workspace_id', '=', tenant)
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** The collections of a workspace, the newest first. */
export const listCollections = async (db: Reading, tenant: string, part: Part): Promise<Listed<CollectionRow>> => ({
  total: await countCollections(db, tenant),
  rows: await db
    .selectFrom('collections')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute(),
});

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
