import { parseJson } from '../../schema/parse-json.ts';
import type { KeptReplies } from '../sdk/kept-replies.ts';
import type { Store } from './store/store.ts';

/** How long replies are kept, in milliseconds. */
const keptMs = 24 * 60 * 60 * 1000;

/** Replies to requests with an `idempotency-key`, in the store: a repeated request may come to another process. */
export const storedReplies = (store: Store, now: () => number): KeptReplies => ({
  async find({ tenant, route, key }) {
    const row = await store.db
      .selectFrom('idempotency')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('route', '=', route)
      .where('key', '=', key)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { body_hash: bodyHash, status, reply, created_at: keptAt } = row;
    return { bodyHash, status, keptAt, body: reply === '' ? undefined : parseJson(reply) };
  },
  keep: ({ tenant, route, key }, { bodyHash, status, body, keptAt }) =>
    store.write(async (writing) => {
      await writing
        .deleteFrom('idempotency')
        .where((where) =>
          where.or([
            where('created_at', '<', now() - keptMs),
            where.and([where('workspace_id', '=', tenant), where('route', '=', route), where('key', '=', key)]),
          ]),
        )
        .execute();
      await writing
        .insertInto('idempotency')
        .values({
          workspace_id: tenant,
          route,
          key,
          body_hash: bodyHash,
          status,
          reply: body === undefined ? '' : JSON.stringify(body),
          created_at: keptAt,
        })
        .execute();
    }),
});
