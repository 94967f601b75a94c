import { expect, it } from 'vitest';
import { withStoreFailures } from '../../../plugins/control/store-failures.ts';
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
});
