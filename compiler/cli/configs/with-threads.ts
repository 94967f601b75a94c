import { mapConcurrently } from '../../../plugins/sdk/time/map-concurrently.ts';
import type { CompileThreads } from '../command-line/compile-threads.ts';

/**
 * How many configs make it worth starting threads, which takes as long as compiling some hundreds. For modules with types, fewer
 * are enough.
 */
export const manyConfigs = { plain: 1000, typed: 200 } as const;

/**
 * Calls `run` for each item, with enough concurrency that threads are never idle, and returns the results in the order of the
 * items. Once a call has failed, no more are started, and its error is thrown.
 */
export const withThreads = <Item, Result>(
  items: readonly Item[],
  { count }: Pick<CompileThreads, 'count'>,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  // Further items wait in the threads, so that no thread waits for this one.
  return mapConcurrently(items, count * 4, run);
};
