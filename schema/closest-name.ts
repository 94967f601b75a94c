/** How many letters must be changed, added, removed or swapped with their neighbour to turn one name into the other. */
export const editDistance = (a: string, b: string): number => {
  // One row of the table for each letter of `a`. Three rows are kept and written over: a config may have hundreds of
  // wrong names, each to be compared with hundreds of right ones.
  let beforeLast: number[] = [];
  let last: number[] = [];
  let current: number[] = [];
  for (let at = 0; at <= b.length; at += 1) last.push(at);
  for (let row = 1; row <= a.length; row += 1) {
    const letter = a.charCodeAt(row - 1);
    const letterBefore = a.charCodeAt(row - 2);
    let left = row;
    current[0] = row;
    for (let at = 1; at <= b.length; at += 1) {
      const other = b.charCodeAt(at - 1);
      let edits = (last[at - 1] ?? 0) + (letter === other ? 0 : 1);
      const above = last[at] ?? 0;
      if (left < edits) edits = left + 1;
      if (above < edits) edits = above + 1;
      if (row > 1 && at > 1 && letter === b.charCodeAt(at - 2) && letterBefore === other) {
        const swapped = (beforeLast[at - 2] ?? 0) + 1;
        if (swapped < edits) edits = swapped;
      }
      current[at] = edits;
      left = edits;
    }
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? 0;
};

/** The name that was most likely meant, for "Did you mean …?"; `undefined` if none is close. Case is ignored. */
export const closestName = (written: string, names: Iterable<string>): string | undefined => {
  const word = written.toLowerCase();
  let closest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const most = Math.max(1, Math.floor(name.length / 3));
    // Each letter that one has more than the other is an edit.
    if (Math.abs(name.length - word.length) > most) continue;
    const edits = editDistance(word, name.toLowerCase());
    if (edits <= most && edits < (closest?.edits ?? Number.POSITIVE_INFINITY)) closest = { name, edits };
  }
  return closest?.name;
};
