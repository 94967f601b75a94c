import { mapConcurrently } from '../../../sdk/time/map-concurrently.ts';

/** The maximum number of concurrent requests of one check. */
const maxAtOnce = 8;

/**
 * Sends a request for each item, a few at a time, and returns the answers in order. After an error, no more requests are sent.
 */
export const askAboutAll = <Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> => mapConcurrently(items, maxAtOnce, ask);
