/** The one that has the most of what many share, and the first of those that have as much; undefined where nobody has anything. */
export const largestShare = <Key>(shares: ReadonlyMap<Key, { readonly size: number }>): Key | undefined => {
  let [largest, max]: [Key | undefined, number] = [undefined, 0];
  for (const [key, { size }] of shares)
    if (size > max) {
      largest = key;
      max = size;
    }
  return largest;
};
