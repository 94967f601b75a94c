import type { BatchCall, Executor } from './batch/executor.ts';

export interface BatchList {
  readonly object: 'list';
  readonly data: readonly object[];
  readonly has_more: boolean;
  readonly first_id?: string;
  readonly last_id?: string;
}

const findId = (batch: object | undefined): string | undefined =>
  batch !== undefined && 'id' in batch && typeof batch.id === 'string' ? batch.id : undefined;

/** The batches of each executor, one after another, from behind the id `after`. */
export const listBatches = async (
  executors: readonly Executor[],
  call: BatchCall,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<BatchList> => {
  const first = after === undefined ? 0 : executors.findIndex((each) => each.owns(after));
  const data: object[] = [];
  let hasMore = false;
  for (const [at, executor] of executors.slice(first).entries()) {
    // One more than there is room for says whether there is more.
    const page = await executor.list(call, {
      after: at === 0 ? after : undefined,
      limit: Math.max(limit - data.length, 1),
    });
    hasMore = page.hasMore || (data.length === limit && page.data.length > 0);
    data.push(...page.data.slice(0, limit - data.length));
    if (hasMore) break;
  }
  const [firstId, lastId] = [findId(data[0]), findId(data.at(-1))];
  return {
    ...{ object: 'list', data, has_more: hasMore },
    ...(firstId === undefined ? {} : { first_id: firstId }),
    ...(lastId === undefined ? {} : { last_id: lastId }),
  };
};
