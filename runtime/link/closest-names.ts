/** How many letters must be put in, taken out or changed to make one word of the other (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** A question that names what may have been meant, or a list of what there is. */
export const closestNames = (name: string, known: readonly string[]): string => {
  const asked = name.toLowerCase().slice(0, 64);
  const near = known
    .map((candidate) => ({ candidate, far: distance(asked, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.far - b.far)[0];
  return near === undefined ? `There are ${[...known].sort().join(', ')}.` : `Did you mean "${near.candidate}"?`;
};
