/** Waits until all promises have settled, but at most so many milliseconds. */
export const waitAtMost = async (running: Iterable<Promise<unknown>>, ms: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.allSettled(running), promise]);
  clearTimeout(timer);
};
