import { expect, it } from 'vitest';
import { createStoredIdempotency } from '../../../plugins/control/kernel/records/idempotency-store.ts';
import { withClaimFailures, withStoreFailures } from '../../../plugins/control/store-failures.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import { onEachStore } from './kernel/secrets/each-store.ts';

onEachStore((newStore) => {
  it('a text that the database cannot hold is not found, or refused as invalid input', async () => {
    const store = await (await newStore())();
    const [row] = withStoreFailures([
      defineRoute({
        ...{ method: 'GET', path: '/things', scope: 'logs.list', operationId: 'things', summary: 'Looks for things.' },
        query: {},
        replies: { 200: { type: 'array' } },
        handle: async () => ({
          status: 200,
          body: await store.db.selectFrom('files').select('id').where('id', '=', 'a\0b').execute(),
        }),
      }),
    ]);
    const answer = (async () => row?.handle({} as never, {} as never))();
    const found = await answer.catch(({ report: { code, errors } }) => [code, errors[0].message]);
    expect([
      { status: 200, body: [] },
      ['invalid-input', 'A text of this request has the character U+0000, which the store cannot keep.'],
    ]).toContainEqual(found);
  });

  it('a request whose idempotency key cannot be claimed is refused like one without a key', async () => {
    const store = await (await newStore())();
    await store.close();
    const replies = withClaimFailures(createStoredIdempotency(store, () => 0));
    const request = { tenant: 'a' as TenantId, route: 'r', key: 'k', bodyHash: 'h', now: 0 };
    await expect(replies.claim(request)).rejects.toMatchObject({ report: { code: 'store-unavailable', status: 503 } });
  });
});
