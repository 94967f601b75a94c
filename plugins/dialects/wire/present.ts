/** The items that are there, in order. */
export const present = <Item>(items: readonly (Item | undefined)[]): readonly Item[] =>
  items.filter((item) => item !== undefined);
