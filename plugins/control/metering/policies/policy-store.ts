import { type Page, type PageResult, paginate, type Reading } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { PolicyRow } from '../../kernel/store/tables/tables.ts';
import type { PolicyKind, PolicyStatus } from './validate-policy.ts';

/** Which policies somebody sees: those of an organisation, or of one workspace of it. */
export interface PolicySight {
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

const inSight = (db: Reading, { organisation, workspace }: PolicySight, kind: PolicyKind) =>
  db
    .selectFrom('policies')
    .where((where) =>
      where.and({ organisation_id: organisation, kind, ...(workspace !== undefined && { workspace_id: workspace }) }),
    );

export interface PolicyName {
  readonly kind: PolicyKind;
  readonly id: string;
  readonly status: PolicyStatus;
}

export const findPolicy = (
  db: Reading,
  sight: PolicySight,
  { kind, id, status }: PolicyName,
): Promise<PolicyRow | undefined> =>
  inSight(db, sight, kind).selectAll().where('id', '=', id).where('status', '=', status).executeTakeFirst();

export interface PolicyList {
  readonly kind: PolicyKind;
  readonly where: Partial<Pick<PolicyRow, 'workspace_id' | 'status' | 'type' | 'unit'>>;
  readonly page: Page;
}

/** The policies in sight, the newest first. */
export const listPolicies = (
  db: Reading,
  sight: PolicySight,
  { kind, where: wanted, page }: PolicyList,
): Promise<PageResult<PolicyRow>> =>
  paginate(
    inSight(db, sight, kind)
      .where((where) => where.and(wanted))
      .selectAll()
      .orderBy('id', 'desc'),
    page,
  );

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
