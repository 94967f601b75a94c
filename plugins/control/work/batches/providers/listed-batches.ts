import type { JsonObject } from '../../../../../schema/json/json.ts';
import { notFound } from '../../../kernel/requests/refusals.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { findEach } from '../../accounts/find-each.ts';
import { recordedPage } from '../../references/remote-ids.ts';
import type { BatchPage, ProviderCall } from '../batch/executor.ts';

interface ListOptions {
  /** Queries a batch and converts it. */
  readonly find: (id: string) => Promise<JsonObject>;
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the batches that a workspace has created with a provider, the newest first. It reads the recorded ids, because a shared
 * account may have any number of other batches between them. Batches that the provider no longer has are omitted. Throws the
 * `GatewayError` `not-found` if `after` was not recorded.
 */
export const listedBatches = async (
  store: Store,
  { tenant, account: { slug } }: ProviderCall,
  { find, after, limit }: ListOptions,
): Promise<BatchPage> => {
  const data: JsonObject[] = [];
  for (let last = after; ; ) {
    const page = await recordedPage(store, tenant, { kind: 'batch', slug, after: last, limit: limit - data.length });
    if (page === undefined) throw notFound('batch', after ?? '', 'GET /v1/batches');
    data.push(...(await findEach(page.ids, find)));
    if (data.length === limit || !page.hasMore) return { data, hasMore: page.hasMore };
    last = page.ids.at(-1);
  }
};
