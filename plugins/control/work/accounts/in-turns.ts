import { isGone } from './provider-refusal.ts';

/** Runs a function for each item, with a limit on concurrent runs, and returns the results in the order of the items. */
export const inTurns = async <Item, Result>(
  items: readonly Item[],
  max: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, worker));
  return results;
};

/** How many records are requested at the same time. */
const maxAtOnce = 8;

/** Returns undefined if a provider does not have what was requested. Throws all other errors. */
export const unlessGone = (error: unknown): undefined => {
  if (!isGone(error)) throw error;
};

/** Requests one record for each id from a provider, and omits those that the provider no longer has. */
export const findEach = async <Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found>,
): Promise<readonly Found[]> => {
  const found = await inTurns(ids, maxAtOnce, (id) => find(id).catch(unlessGone));
  return found.filter((each) => each !== undefined);
};
