/**
 * Calls `run` for each item, at most `max` at a time, and returns the results in the order of the items. Once a call has failed, no
 * more are started, and its error is thrown.
 */
export const mapConcurrently = async <Item, Result>(
  items: readonly Item[],
  max: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await run(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work));
  return results;
};
