import type { Store, Writing } from '../../kernel/store/store.ts';
import type { BlobRow } from '../../kernel/store/tables/tables.ts';

/** How many are removed at a time. */
const maxAtOnce = 100;

export const insertBlob = async (writing: Writing, row: BlobRow): Promise<void> => {
  await writing.insertInto('blobs').values(row).execute();
};

export const setBlob = async (
  writing: Writing,
  id: string,
  change: Pick<BlobRow, 'state' | 'since'>,
): Promise<void> => {
  await writing.updateTable('blobs').set(change).where('id', '=', id).execute();
};

export const deleteBlob = async (writing: Writing, id: string): Promise<void> => {
  await writing.deleteFrom('blobs').where('id', '=', id).execute();
};

/** Some of those that nobody has kept since a time, or whose workspace is gone. */
export const abandonedBlobs = async (db: Store['db'], before: number): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('blobs')
    .select('id')
    .where(({ eb, and, or, not, exists, selectFrom }) =>
      or([
        and([eb('state', '=', 'loose'), eb('since', '<', before)]),
        not(exists(selectFrom('workspaces').select('id').whereRef('workspaces.id', '=', 'blobs.tenant'))),
      ]),
    )
    .orderBy('id')
    .limit(maxAtOnce)
    .execute();
  return rows.map(({ id }) => id);
};
