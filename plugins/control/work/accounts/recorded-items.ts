import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import { recordedPage } from '../references/remote-ids.ts';
import { findEach } from './find-each.ts';

type RecordedPage = Parameters<typeof recordedPage>[2];

/**
 * Lists what a workspace has created with a provider, the newest first; undefined if `after` was not recorded. It reads the
 * recorded ids, because a shared account may have any number of others between them. `find` requests one of them. Those that the
 * provider no longer has are omitted, and the page is filled with others, because clients stop at an empty page.
 */
export const recordedItems = async <Item>(
  store: Store,
  tenant: TenantId,
  { after, limit, ...page }: RecordedPage,
  find: (id: string) => Promise<Item>,
): Promise<{ readonly data: readonly Item[]; readonly hasMore: boolean } | undefined> => {
  const data: Item[] = [];
  for (let last = after; ; ) {
    const found = await recordedPage(store, tenant, { ...page, after: last, limit: limit - data.length });
    if (found === undefined) return undefined;
    data.push(...(await findEach(found.ids, find)));
    if (data.length === limit || !found.hasMore) return { data, hasMore: found.hasMore };
    last = found.ids.at(-1);
  }
};
