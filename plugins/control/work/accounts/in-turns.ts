/** Runs something for each item, for at most so many at the same time; the results are in the order of the items. */
export const inTurns = async <Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
};
