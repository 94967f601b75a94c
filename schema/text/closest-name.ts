/** Three rows of a table of edit distances: the one before the last, the last and the current one. */
type Rows = readonly [number[], number[], number[]];

interface Band {
  readonly rows: Rows;
  readonly max: number;
}

/** A table in which comparisons are made. */
interface Table {
  /** The rows, which are overwritten. */
  readonly rows: Rows;
  /** How many cells were filled so far. */
  cells: number;
}

const emptyTable = (): Table => ({ rows: [[], [], []], cells: 0 });

/**
 * The most cells to fill for one written name, which takes tens of microseconds. Hundreds of names with the usual lengths take
 * less, but a text may have hundreds of wrong long names, each compared with hundreds of similar ones.
 */
const maxCells = 16_384;

/** Whether the last two letters of the two prefixes are swapped. */
const isSwapped = (a: string, b: string, row: number, at: number): boolean =>
  row > 1 && at > 1 && a.charCodeAt(row - 1) === b.charCodeAt(at - 2) && a.charCodeAt(row - 2) === b.charCodeAt(at - 1);

/** Fills those cells of a row that can be at most `max`, and returns the smallest of them. */
const fillRow = (a: string, b: string, row: number, { rows: [beforeLast, last, current], max }: Band): number => {
  const letter = a.charCodeAt(row - 1);
  const from = Math.max(1, row - max);
  const to = Math.min(b.length, row + max);
  let left = from === 1 ? row : max + 1;
  let min = left;
  current[from - 1] = left;
  for (let at = from; at <= to; at += 1) {
    let edits = (last[at - 1] ?? 0) + (letter === b.charCodeAt(at - 1) ? 0 : 1);
    const above = last[at] ?? 0;
    if (left < edits) edits = left + 1;
    if (above < edits) edits = above + 1;
    if (isSwapped(a, b, row, at)) edits = Math.min(edits, (beforeLast[at - 2] ?? 0) + 1);
    current[at] = edits;
    left = edits;
    if (edits < min) min = edits;
  }
  // The next row reads one cell further.
  current[to + 1] = max + 1;
  return min;
};

/**
 * Returns how many letters must be changed, added, removed or swapped with their neighbour to turn one name into the other, or
 * any number above `max` if that is more than `max`.
 */
const boundedDistance = (a: string, b: string, max: number, table: Table): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [beforeLast, last, current] = table.rows;
  for (let at = 0; at <= Math.min(b.length, max + 1); at += 1) last[at] = at;
  for (let row = 1; row <= a.length; row += 1) {
    table.cells += Math.min(b.length, 2 * max + 1);
    if (fillRow(a, b, row, { rows: [beforeLast, last, current], max }) > max) return max + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? max + 1;
};

/** Returns how many letters must be changed, added, removed or swapped with their neighbour to turn one name into the other. */
export const editDistance = (a: string, b: string): number =>
  boundedDistance(a, b, Math.max(a.length, b.length), emptyTable());

/** The length of the shortest name that can be misspelt. In a shorter name, any other letter makes another name. */
const shortestMisspelt = 2;

/** Returns the most edits with which a name still counts as a misspelling of this one. */
const allowedEdits = ({ length }: string): number =>
  Math.max(length < shortestMisspelt ? 0 : 1, Math.floor(length / 3));

/** Whether a name may have been meant. Case is ignored. */
export const isNearName = (written: string, name: string): boolean => {
  const max = allowedEdits(name);
  return boundedDistance(written.toLowerCase(), name.toLowerCase(), max, emptyTable()) <= max;
};

/**
 * Returns the name that was most likely meant, for "Did you mean …?"; `undefined` if none is close. Case is ignored. If there are
 * many long names, the last ones are not compared.
 */
export const closestName = (written: string, names: Iterable<string>): string | undefined => {
  const word = written.toLowerCase();
  const table = emptyTable();
  let closest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    if (table.cells >= maxCells) break;
    // If two are equally near, the first one is used.
    const max = Math.min(allowedEdits(name), (closest?.edits ?? Number.POSITIVE_INFINITY) - 1);
    // Each additional letter is an edit.
    if (Math.abs(name.length - word.length) > max) continue;
    const edits = boundedDistance(word, name.toLowerCase(), max, table);
    if (edits <= max) closest = { name, edits };
  }
  return closest?.name;
};

/** Returns the hint for a name that does not exist: the one that was most likely meant, or else `otherwise`. */
export const suggestName = (written: string, names: Iterable<string>, otherwise: string): string => {
  const closest = closestName(written, names);
  return closest === undefined ? otherwise : `Did you mean "${closest}"?`;
};
