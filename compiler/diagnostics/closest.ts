/** Single-character edits (insert, delete, replace, swap neighbours) between two words, at most `limit` + 1. */
const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
};

/** Whether case and the marks between words are all that differs. */
const spelling = (word: string): string => word.toLowerCase().replace(/[-_ .$]/g, '');

const shortestStem = 3;

/** Whether one word begins with the other: `$equals` and `$eq`. */
const isStem = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= shortestStem && (a.startsWith(b) || b.startsWith(a));

/** How far a candidate is from a word; one more than `limit` where it is too far. */
const distance = (word: string, candidate: string, limit: number): number => {
  const [a, b] = [spelling(word), spelling(candidate)];
  if (a === b) return 0;
  const edits = editDistance(word.slice(0, 64).toLowerCase(), candidate.toLowerCase(), limit);
  return edits > limit && isStem(word.toLowerCase(), candidate.toLowerCase()) ? limit : edits;
};

/** The candidate that a misspelt word was most likely meant to be; none where nothing is near. */
export const closest = (word: string, candidates: Iterable<string>): string | undefined => {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = distance(word, candidate, limit);
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
};

const mostListed = 12;

/** A hint: what was meant, and else what there is. */
export const suggestion = (word: string, candidates: readonly string[], lead = 'Allowed here'): string => {
  const near = closest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  const shown = candidates.slice(0, mostListed).map((candidate) => `"${candidate}"`);
  if (shown.length === 0) return 'There are none.';
  const more = candidates.length > mostListed ? `, and ${candidates.length - mostListed} more` : '';
  return `${lead}: ${shown.join(', ')}${more}.`;
};
