import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { PolicyRow } from '../../../../../plugins/control/kernel/store/tables.ts';
import { saveWorkspace } from '../../support/save-workspace.ts';
import { monday } from './sample-posting.ts';

/** Saves an active policy whose counters never start again, in a workspace of its own, and returns its id. */
export const savePolicy = async (store: Pick<Store, 'write'>, columns: Partial<PolicyRow> = {}): Promise<string> => {
  const row: PolicyRow = {
    ...{ id: newId(monday), ...(await saveWorkspace(store)), kind: 'usage', name: null },
    ...{ conditions: '[]', group_by: '[]', type: 'tokens', unit: null, amount: 1000, alert_at: null },
    ...{ periodic_reset: null, reset_days: null, reset_from: null, if_unknown: 'allow', status: 'active' },
    ...{ created_at: monday, updated_at: monday },
    ...columns,
  };
  await store.write((writing) => writing.insertInto('policies').values(row).execute());
  return row.id;
};
