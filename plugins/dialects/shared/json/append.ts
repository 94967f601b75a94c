/** Adds items to a list. `push(...items)` would pass them as arguments, of which there may be too many for the stack. */
export const append = <Item>(list: Item[], items: Iterable<Item>): void => {
  for (const item of items) list.push(item);
};
