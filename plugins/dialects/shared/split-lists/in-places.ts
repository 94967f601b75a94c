import type { Json } from '../../../../schema/json/json.ts';

/**
 * Returns the items of a list in the order of their indexes. `placeOf` returns undefined for an item whose index is its position.
 * Throws a `TypeError` unless each index occurs exactly once, because it is then unknown which text an item belongs to.
 */
export const sortByIndex = <Item extends Json>(
  items: readonly Item[],
  placeOf: (item: Item) => number | undefined,
): readonly Item[] => {
  const placed = new Map(items.map((item, at) => [placeOf(item) ?? at, item]));
  return items.map((_, at) => {
    const item = placed.get(at);
    if (item === undefined) throw new TypeError('the indexes of its vectors do not match the texts.');
    return item;
  });
};
