import type { Json } from '../../../../schema/json/json.ts';

/**
 * The items of a list in the order of their places, each of which one item has; `placeOf` is undefined for one that stands at
 * its place. Throws a `TypeError` otherwise: nobody knows then which text an item is of.
 */
export const inPlaces = <Item extends Json>(
  items: readonly Item[],
  placeOf: (item: Item) => number | undefined,
): readonly Item[] => {
  const placed = new Map(items.map((item, at) => [placeOf(item) ?? at, item]));
  return items.map((_, at) => {
    const item = placed.get(at);
    if (item === undefined) throw new TypeError('the places of its vectors are not those of the texts.');
    return item;
  });
};
