/** The maximum number of concurrent requests of one check. */
const maxAtOnce = 8;

/**
 * Sends a request for each item, a few at a time, and returns the answers in order. After an error, no more requests are sent.
 */
export const askAboutAll = async <Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  const waiting = items.entries();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        answers[index] = await ask(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return answers;
};
