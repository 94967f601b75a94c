import { ensureFirst } from '../../../../plugins/control/access/keys/first-key.ts';
import { insertKey } from '../../../../plugins/control/access/keys/key-store.ts';
import { keyHash, keyMask, makeKeyText } from '../../../../plugins/control/access/keys/key-text.ts';
import { scopes } from '../../../../plugins/control/kernel/requests/scopes.ts';
import { newId } from '../../../../plugins/control/kernel/store/new-id.ts';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';

/**
 * Creates a store with two organisations, which no route can create, and returns the key of the second one. The key of the
 * first one is `adminKey`.
 */
export const secondOrganisation = async (url: string, adminKey: string): Promise<string> => {
  const store = await openStore({ url });
  try {
    const now = Date.now();
    await ensureFirst(store, { now, adminKey });
    const [organisation, id] = [newId(now), newId(now)];
    const key = makeKeyText(id);
    const named = { name: 'default', settings: '{}', created_at: now, updated_at: now };
    await store.write(async (writing) => {
      await writing
        .insertInto('organisations')
        .values({ id: organisation, ...named })
        .execute();
      await writing
        .insertInto('workspaces')
        .values({ id: newId(now), organisation_id: organisation, slug: 'default', ...named })
        .execute();
      await insertKey(store, writing, {
        ...{
          id,
          organisation_id: organisation,
          workspace_id: null,
          kind: 'organisation',
          user_id: null,
          name: 'admin',
        },
        ...{ hash: keyHash(key), mask: keyMask(key), scopes: JSON.stringify(scopes), defaults: '{}', status: 'active' },
        ...{
          expires_at: null,
          previous_hash: null,
          previous_until: null,
          rotation: null,
          created_by: null,
          limits: null,
          now,
        },
      });
    });
    return key;
  } finally {
    await store.close();
  }
};
