/** Waits until all of them have ended, however they end, but no longer than so many milliseconds. */
export const settledWithin = async (running: Iterable<Promise<unknown>>, ms: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.allSettled(running), promise]);
  clearTimeout(timer);
};
