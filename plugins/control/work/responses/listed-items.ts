import type { JsonObject } from '../../../../schema/json/json.ts';

/** Which part of a list is asked for: behind one item, before another, at most so many. */
export interface ItemsQuery {
  readonly limit: number;
  readonly order: string;
  readonly after?: string;
  readonly before?: string;
}

/** A part of a list of items, the newest first unless the order is `asc`. A cursor that names no item is none. */
export const listedItems = (items: readonly JsonObject[], { limit, order, after, before }: ItemsQuery): JsonObject => {
  const ordered = order === 'asc' ? items : items.toReversed();
  const at = (id: string | undefined): number => (id === undefined ? -1 : ordered.findIndex((item) => item.id === id));
  const to = at(before);
  const part = ordered.slice(at(after) + 1, to === -1 ? undefined : to);
  const data = part.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: part.length > data.length,
  };
};
