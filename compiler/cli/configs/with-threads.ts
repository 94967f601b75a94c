import type { CompileThreads } from '../command-line/compile-threads.ts';

/**
 * How many configs make it worth starting threads, which takes as long as compiling some hundreds. For modules with types, fewer
 * are enough.
 */
export const manyConfigs = { plain: 1000, typed: 200 } as const;

/**
 * Runs `work` for each item, with enough concurrency that threads are never idle, and returns the results in the order of the
 * items. When it returns, all work has ended. If there are several errors, the first is thrown.
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
  // Further items wait in the threads, so that no thread waits for this one.
  await Promise.all(Array.from({ length: count * 4 }, work));
  return results;
};
