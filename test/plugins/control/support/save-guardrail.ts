import { newId } from '../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import type { Json } from '../../../../schema/json/json.ts';

export interface SavedGuardrailRow {
  readonly organisation: string;
  /** Null for a guardrail of the organisation. */
  readonly workspace: string | null;
  readonly slug: string;
  /** The default is a check for requests and answers. */
  readonly checks?: Json;
}

const words = [{ id: 'default.contains', parameters: { operator: 'none', words: ['plum'] } }];

/** Inserts a guardrail into a store, and returns its id. */
export const saveGuardrail = (
  store: Store,
  { organisation, workspace, slug, checks = words }: SavedGuardrailRow,
): Promise<string> =>
  store.write(async (writing) => {
    const id = newId(1);
    const owner = { id, organisation_id: organisation, workspace_id: workspace, slug, name: slug };
    const texts = { checks: JSON.stringify(checks), actions: '{}', sealed: '{}', created_at: 1, updated_at: 1 };
    await writing
      .insertInto('guardrails')
      .values({ ...owner, ...texts })
      .execute();
    return id;
  });
