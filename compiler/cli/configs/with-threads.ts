import type { CompileThreads } from '../command-line/compile-threads.ts';

/** How many configs are worth the start of threads, which takes as long as compiling some hundreds: of modules with types fewer. */
export const manyConfigs = { plain: 1000, typed: 200 } as const;

/**
 * Runs something for each item, so many at once that threads are never idle, and gives the results in the order of the items. All
 * that was begun has ended when it returns; of errors the first is thrown.
 */
export const withThreads = async <Item, Result>(
  items: readonly Item[],
  { count }: Pick<CompileThreads, 'count'>,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const open = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of open) results[index] = await run(item);
  };
  // Further ones wait in the threads, so that none of them waits for this one.
  await Promise.all(Array.from({ length: count * 4 }, work));
  return results;
};
