/**
 * Returns the index of the last of some ascending numbers that is at most `wanted`, or 0 if none is. There may be many numbers.
 */
export const lastUpTo = (length: number, numberAt: (index: number) => number, wanted: number): number => {
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numberAt(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
};
