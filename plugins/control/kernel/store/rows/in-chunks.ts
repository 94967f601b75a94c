/**
 * The maximum number of rows in a statement. SQLite accepts 32766 values, and PostgreSQL 65535: a thousand rows of 30 columns
 * fit.
 */
const longest = 1000;

/** Runs a function with parts of a list that fit into a statement, one after another, and returns all results. */
export const inChunks = async <Item, Result>(
  items: readonly Item[],
  run: (chunk: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += longest)
    results.push(...(await run(items.slice(start, start + longest))));
  return results;
};
