import { isGone } from './provider-refusal.ts';

/** Runs something for each item, for at most so many at the same time; the results are in the order of the items. */
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

/** How many records are asked for at the same time. */
const maxAtOnce = 8;

/** Resolves to nothing where a provider does not have what was asked for, in the place of its refusal. Throws all other errors. */
export const unlessGone = (error: unknown): undefined => {
  if (!isGone(error)) throw error;
};

/** Asks a provider for what has each of some ids; what the provider does not have any more is left out. */
export const findEach = async <Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found>,
): Promise<readonly Found[]> => {
  const found = await inTurns(ids, maxAtOnce, (id) => find(id).catch(unlessGone));
  return found.filter((each) => each !== undefined);
};
