/**
 * Returns the key with the largest of several shares, or the first of those that are equally large. Undefined if there are none.
 */
export const largestShare = <Key>(shares: ReadonlyMap<Key, { readonly size: number }>): Key | undefined => {
  let [largest, max]: [Key | undefined, number] = [undefined, 0];
  for (const [key, { size }] of shares)
    if (size > max) {
      largest = key;
      max = size;
    }
  return largest;
};
