import { sql } from 'kysely';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { Job } from '../../kernel/store/job.ts';
import { rowInserter, toRowValues } from '../../kernel/store/rows/row-inserter.ts';
import type { NamedItemRow, Tables } from '../../kernel/store/tables.ts';

const columns = {
  workspace_id: 'text',
  owner: 'text',
  id: 'text',
  created_at: 'integer',
  bytes: 'integer',
  item: 'text',
} as const;

/** Inserts items, replacing items with the same ids. */
const insertItems = rowInserter('named_items', {
  columns,
  merge: () => sql`(workspace_id, id, owner) do update set
    created_at = excluded.created_at, bytes = excluded.bytes, item = excluded.item`,
});

/** Writes items, which arrive as the JSON of their rows in UTF-8. Items of workspaces that were deleted meanwhile are omitted. */
export const job: Job<Tables> = async (writing, { kind, bytes }) => {
  const rows: readonly NamedItemRow[] = fromJson(toBuffer(bytes).toString());
  const named = [...new Set(rows.map((row) => row.workspace_id))];
  const found = await writing.selectFrom('workspaces').select('id').where('id', 'in', named).execute();
  const known = new Set(found.map(({ id }) => id));
  await insertItems(
    writing,
    kind,
    rows.filter((row) => known.has(row.workspace_id)).map((row) => toRowValues(columns, row)),
  );
};
