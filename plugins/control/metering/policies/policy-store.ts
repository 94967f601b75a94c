import { type Page, type PageResult, paginate, type Reading } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { PolicyRow } from '../../kernel/store/tables/tables.ts';

/** The policies of one kind that a caller sees: those of an organisation, or of one workspace of it. */
export type PolicySight = Pick<PolicyRow, 'organisation_id' | 'kind'> & Partial<Pick<PolicyRow, 'workspace_id'>>;

const inSight = (db: Reading, sight: PolicySight, wanted: Partial<PolicyRow>) =>
  db
    .selectFrom('policies')
    .where((where) => where.and(sight))
    .where((where) => where.and(wanted))
    .selectAll();

export const findPolicy = (
  db: Reading,
  sight: PolicySight,
  wanted: Pick<PolicyRow, 'id' | 'status'>,
): Promise<PolicyRow | undefined> => inSight(db, sight, wanted).executeTakeFirst();

export interface PolicyList {
  readonly wanted: Partial<Pick<PolicyRow, 'workspace_id' | 'status' | 'type' | 'unit'>>;
  readonly page: Page;
}

/** Lists the policies in sight, the newest first. */
export const listPolicies = (
  db: Reading,
  sight: PolicySight,
  { wanted, page }: PolicyList,
): Promise<PageResult<PolicyRow>> => paginate(inSight(db, sight, wanted).orderBy('id', 'desc'), page);

export const insertPolicy = async (store: Store, writing: Writing, row: PolicyRow): Promise<void> => {
  await writing.insertInto('policies').values(row).execute();
  await store.bump(writing, 'policies', row.workspace_id);
};

/** Replaces a policy by another with the same id. */
export const replacePolicy = async (store: Store, writing: Writing, row: PolicyRow): Promise<void> => {
  const { id, workspace_id, ...columns } = row;
  await writing
    .updateTable('policies')
    .set(columns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute();
  await store.bump(writing, 'policies', workspace_id);
};
