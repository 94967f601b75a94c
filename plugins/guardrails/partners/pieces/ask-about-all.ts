/** The most requests of one check that are under way at once. */
const maxAtOnce = 8;

/** Asks about each item, a few at a time, and gives the answers in order. After an error nothing more is asked. */
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
