/** Deletes what is old, in small transactions, until one of them finds nothing or `isOver` says so. Each resolves to how much it deleted. */
export const pruneSteps = async (step: () => Promise<number | bigint>, isOver: () => boolean): Promise<void> => {
  let deleted: number | bigint = 1;
  while (deleted > 0 && !isOver()) deleted = await step();
};
