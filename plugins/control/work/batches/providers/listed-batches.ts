import type { JsonObject } from '../../../../../schema/json/json.ts';
import { notFound } from '../../../kernel/requests/refusals.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { findEach } from '../../provider-requests/find-each.ts';
import { recordedItems } from '../../provider-requests/recorded-items.ts';
import type { BatchPage, ProviderCall } from '../batch/executor.ts';

interface ListOptions {
  /** Queries a batch and converts it. */
  readonly find: (id: string) => Promise<JsonObject>;
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the batches that a workspace has created with a provider, the newest first. Throws the `GatewayError` `not-found` if
 * `after` was not recorded.
 */
export const listedBatches = async (
  store: Store,
  { tenant, account: { slug } }: ProviderCall,
  { find, after, limit }: ListOptions,
): Promise<BatchPage> => {
  const page = await recordedItems(store, tenant, { kind: 'batch', slug, after, limit }, (ids) => findEach(ids, find));
  if (page === undefined) throw notFound('batch', after ?? '', 'GET /v1/batches');
  return page;
};
