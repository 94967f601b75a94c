import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import { createResponseFeed } from '../../../../../plugins/control/work/responses/response-feed.ts';
import { insertEvents } from '../../../../../plugins/control/work/responses/response-store.ts';
import type { ResponseSeals } from '../../../../../plugins/control/work/responses/stored-responses.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { newSqliteStore } from '../../kernel/secrets/each-store.ts';

/** Holds back the first answer of a store until `letGo` is called. */
const holdingFirst = (): { readonly plugin: KyselyPlugin; readonly letGo: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
    if (isFirst) {
      isFirst = false;
      await promise;
    }
    return result;
  };
  return { plugin: { transformQuery: ({ node }) => node, transformResult }, letGo: resolve };
};

it('reads everything that was written before the call, even while an earlier read is in progress', async () => {
  const store = await (await newSqliteStore())();
  await ensureFirst(store, { now: 0 });
  const { id } = await store.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  const one = { tenant: id as TenantId, id: 'gw-resp-1' };
  const { plugin, letGo } = holdingFirst();
  const seals = { openEvents: async () => [{ type: 'response.completed' }] } as unknown as ResponseSeals;
  const feed = createResponseFeed({ db: store.db.withPlugin(plugin), kind: store.kind }, seals);
  const before = feed.readFrames(one, 0);
  await store.write((writing) => insertEvents(writing, one, { number: 0, following: 1, events: '' }));
  const after = feed.readFrames(one, 0);
  letGo();
  expect(await before).toEqual({ frames: [], next: 0 });
  expect(await after).toEqual({ frames: [expect.any(Buffer)], next: 1 });
});
