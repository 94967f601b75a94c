/** Returns the UTF-16 offsets of a text in another, without overlaps. Empty if the text to find is empty. */
export const occurrences = (text: string, wanted: string): readonly number[] => {
  const found: number[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
};
