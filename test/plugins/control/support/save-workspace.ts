import { newId } from '../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';

/** Saves an empty workspace in an organisation of its own, and returns the ids of both. */
export const saveWorkspace = async (
  store: Pick<Store, 'write'>,
): Promise<{ readonly organisation_id: string; readonly workspace_id: string }> => {
  const [organisation_id, workspace_id] = [newId(0), newId(0)];
  const named = { name: 'A', settings: '{}', created_at: 0, updated_at: 0 };
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
