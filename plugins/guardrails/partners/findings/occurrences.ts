/** Where a text occurs in another, in UTF-16 units and without overlaps; nowhere if it is empty. */
export const occurrences = (text: string, wanted: string): readonly number[] => {
  const found: number[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
};
