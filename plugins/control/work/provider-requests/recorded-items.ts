import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import { recordedPage } from '../remote-ids/remote-ids.ts';

type RecordedPage = Parameters<typeof recordedPage>[2];

/** How many items one page may request, each of which may take a request to the provider. */
const maxRequested = 300;

/**
 * Lists what a workspace has created with a provider, the newest first; undefined if `after` was not recorded. It reads the
 * recorded ids, because a shared account may have any number of others between them. `findAll` requests some of them, and omits
 * those that the provider no longer has. The page is filled with others, because clients stop at an empty page; but if a provider
 * has lost very many, as after a change of accounts, the page ends early.
 */
export const recordedItems = async <Item>(
  store: Store,
  tenant: TenantId,
  { after, limit, ...page }: RecordedPage,
  findAll: (ids: readonly string[]) => Promise<readonly Item[]>,
): Promise<{ readonly data: readonly Item[]; readonly hasMore: boolean } | undefined> => {
  const data: Item[] = [];
  let requested = 0;
  for (let last = after; ; ) {
    const found = await recordedPage(store, tenant, { ...page, after: last, limit: limit - data.length });
    if (found === undefined) return undefined;
    data.push(...(await findAll(found.ids)));
    requested += found.ids.length;
    if (data.length === limit || !found.hasMore || requested >= maxRequested) return { data, hasMore: found.hasMore };
    last = found.ids.at(-1);
  }
};
