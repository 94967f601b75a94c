import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { PolicyRow } from '../../../../../plugins/control/kernel/store/tables.ts';
import { monday } from './sample-posting.ts';

const times = { created_at: monday, updated_at: monday };

/** Saves an empty workspace of its own organisation, and returns the ids of both. */
export const saveWorkspace = async (
  store: Pick<Store, 'write'>,
): Promise<Pick<PolicyRow, 'organisation_id' | 'workspace_id'>> => {
  const [organisation_id, workspace_id] = [newId(monday), newId(monday)];
  const named = { name: 'A', settings: '{}', ...times };
  await store.write(async (writing) => {
    await writing
      .insertInto('organisations')
      .values({ id: organisation_id, ...named })
      .execute();
    const row = { id: workspace_id, organisation_id, slug: 'a', limits: null, ...named };
    await writing.insertInto('workspaces').values(row).execute();
  });
  return { organisation_id, workspace_id };
};

/** Saves an active policy whose counters never start again, in a workspace of its own, and returns its id. */
export const savePolicy = async (store: Pick<Store, 'write'>, columns: Partial<PolicyRow> = {}): Promise<string> => {
  const row: PolicyRow = {
    ...{ id: newId(monday), ...(await saveWorkspace(store)), kind: 'usage', name: null },
    ...{ conditions: '[]', group_by: '[]', type: 'tokens', unit: null, amount: 1000, alert_at: null },
    ...{ periodic_reset: null, reset_days: null, reset_from: null, if_unknown: 'allow', status: 'active' },
    ...times,
    ...columns,
  };
  await store.write((writing) => writing.insertInto('policies').values(row).execute());
  return row.id;
};
