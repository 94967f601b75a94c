/** Adds the items of one list to another, in place, for generated code that owns both. */
export const joined = <Item>(list: Item[] | null, more: readonly Item[]): readonly Item[] => {
  if (list === null) return more;
  for (const item of more) list.push(item);
  return list;
};
