import { mapConcurrently } from '../../../sdk/time/map-concurrently.ts';
import { isGone } from './provider-refusal.ts';

/** How many records are requested at the same time. */
const maxAtOnce = 8;

/** Returns undefined if a provider does not have what was requested. Throws all other errors. */
export const undefinedIfGone = (error: unknown): undefined => {
  if (!isGone(error)) throw error;
};

/** Requests one record for each id from a provider, and omits those that the provider no longer has. */
export const findEach = async <Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found>,
): Promise<readonly Found[]> => {
  const found = await mapConcurrently(ids, maxAtOnce, (id) => find(id).catch(undefinedIfGone));
  return found.filter((each) => each !== undefined);
};
