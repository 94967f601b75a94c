/** Returns the items that are not undefined, in order. */
export const present = <Item>(items: readonly (Item | undefined)[]): readonly Item[] =>
  items.filter((item) => item !== undefined);

/** Returns a list, or undefined for an empty one, which is then not written. */
export const undefinedIfEmpty = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length > 0 ? items : undefined;
