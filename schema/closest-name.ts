/** How many letters must be changed, added, removed or swapped with their neighbour to turn one name into the other. */
export const editDistance = (a: string, b: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const cost = a[row - 1] === b[at - 1] ? 0 : 1;
      const edits = [(last[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + cost];
      const swapped = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      if (row > 1 && at > 1 && swapped) edits.push((beforeLast[at - 2] ?? 0) + 1);
      current.push(Math.min(...edits));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
};

/** The name that was most likely meant, for "Did you mean …?"; `undefined` if none is close. Case is ignored. */
export const closestName = (written: string, names: Iterable<string>): string | undefined => {
  let closest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editDistance(written.toLowerCase(), name.toLowerCase());
    if (edits <= Math.max(1, Math.floor(name.length / 3)) && edits < (closest?.edits ?? Number.POSITIVE_INFINITY))
      closest = { name, edits };
  }
  return closest?.name;
};
