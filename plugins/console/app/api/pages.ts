import { get, type Query } from './client.ts';
import { type Loader, useLoaded } from './load.ts';
import { workspace } from './session.ts';

/** A page of a list of the control API. */
export interface List<Item> {
  readonly total: number;
  readonly data: readonly Item[];
}

/** A loaded page of a list. */
export interface LoadedPage<Item> extends List<Item> {
  /** Zero-based. */
  readonly page: number;
}

/** The requested page of a list, and how to change it. */
export interface Paging {
  /** Zero-based. */
  readonly page: number;
  /** Requests another page; with `replace`, in place of the current one in the browser's history. */
  readonly setPage: (page: number, options?: { readonly replace?: boolean }) => void;
}

export interface PagedList<Item> extends Loader<LoadedPage<Item>>, Paging {
  readonly pageSize: number;
}

/**
 * Loads a list of the control API page by page: `usePagedList<Key>('/api-keys', listPage(), { query: { status: 'active' } })`. If
 * the requested page does not exist, the last one is shown.
 */
export const usePagedList = <Item>(
  path: string,
  { page, setPage }: Paging,
  { query = {}, pageSize = 50 }: { readonly query?: Query; readonly pageSize?: number } = {},
): PagedList<Item> => {
  const key = JSON.stringify([path, query, workspace.value]);
  const loader = useLoaded<LoadedPage<Item>>(
    async (signal) => {
      const list: List<Item> = await get(path, {
        query: { ...query, page_size: pageSize, current_page: page },
        signal,
      });
      const last = Math.max(0, Math.ceil(list.total / pageSize) - 1);
      if (list.data.length === 0 && page > last && !signal.aborted) setPage(last, { replace: true });
      return { ...list, page };
    },
    [key, page, pageSize],
  );
  return { ...loader, page, pageSize, setPage: (next) => setPage(Math.max(0, next)) };
};

interface WholeListOptions {
  readonly query?: Query;
  readonly bound?: number;
  readonly signal?: AbortSignal;
}

/** Every item of a list has an id, by which the next page continues. */
interface Listed {
  readonly id: string;
}

const wholeListPageSize = 100;

/**
 * Reads a whole list, but at most `bound` items. Each page continues after the last item of the one before, so an item that is created
 * or deleted meanwhile makes no other one appear twice or not at all.
 */
export const readWholeList = async <Item extends Listed>(
  path: string,
  { query = {}, bound = 1000, signal }: WholeListOptions = {},
): Promise<List<Item>> => {
  const items: Item[] = [];
  let total = 0;
  let isLast = false;
  while (!isLast && items.length < bound) {
    const part = await get<List<Item>>(path, {
      query: { ...query, page_size: wholeListPageSize, after: items.at(-1)?.id },
      ...(signal === undefined ? {} : { signal }),
    });
    items.push(...part.data);
    total = part.total;
    isLast = part.data.length < wholeListPageSize;
  }
  return { total, data: items.slice(0, bound) };
};
