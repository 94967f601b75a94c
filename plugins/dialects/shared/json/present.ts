/** Returns the items that are not undefined, in order. */
export const present = <Item>(items: readonly (Item | undefined)[]): readonly Item[] =>
  items.filter((item) => item !== undefined);
