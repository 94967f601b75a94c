/** A change of a text, or of its lines: what is from `from` to `before` was replaced by what is from `from` to `after`. */
export interface Edit {
  readonly from: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the smallest change that turns one text, or one list of lines, into another. */
export const editBetween = (before: ArrayLike<string>, after: ArrayLike<string>): Edit => {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from, before: before.length - tail, after: after.length - tail };
};
