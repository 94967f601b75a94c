import type { Reading } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { OrganisationRow } from '../../kernel/store/tables/tables.ts';
import { timeOfChange } from '../keys/key-store.ts';

export const readOrganisation = (db: Reading, id: string): Promise<OrganisationRow> =>
  db.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export interface OrganisationChange extends Partial<Pick<OrganisationRow, 'name' | 'settings'>> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Changes an organisation, or notes that a workspace of it has changed, and notifies those who follow either. */
export const changeOrganisation = async (
  store: Store,
  writing: Writing,
  { id, change: { now, ...change } }: { readonly id: string; readonly change: OrganisationChange },
): Promise<void> => {
  const updated_at = await timeOfChange(writing, 'organisations', now);
  await writing
    .updateTable('organisations')
    .set({ ...change, updated_at })
    .where('id', '=', id)
    .execute();
  await store.bump(writing, 'keys');
};

/** The settings of the other organisations that accept tokens. */
export const otherJwtSettings = async (db: Reading, id: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('organisations')
    .select('settings')
    .where('id', '!=', id)
    .where('settings', 'like', '%"jwt":%')
    .execute();
  return rows.map(({ settings }) => settings);
};
