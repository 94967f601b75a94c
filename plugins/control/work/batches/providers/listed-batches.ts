import type { JsonObject } from '../../../../../schema/json/json.ts';
import { notFound } from '../../../kernel/requests/refusals.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { findEach } from '../../accounts/in-turns.ts';
import { recordedPage } from '../../references/remote-ids.ts';
import type { BatchPage, ProviderCall } from '../batch/executor.ts';

interface ListOptions {
  /** Asks for a batch, and shows it. */
  readonly find: (id: string) => Promise<JsonObject>;
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the batches that a workspace has made with a provider, the newest first, by the ids that were recorded: an account that is
 * shared may have any number of others between them. Those that the provider has no more are left out. Throws the `GatewayError`
 * `not-found` for an `after` that was not recorded.
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
