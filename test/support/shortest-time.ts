const maxTries = 5;

/**
 * The shortest of some times in milliseconds, of at most five and none after the first that is less than `enoughMs`: other
 * processes may have the machine during one of them.
 */
export const shortestTime = async (enoughMs: number, readTime: () => Promise<number>): Promise<number> => {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < maxTries && shortest >= enoughMs; tries += 1)
    shortest = Math.min(shortest, await readTime());
  return shortest;
};

/** The milliseconds that something takes. */
export const timed = async (run: () => unknown): Promise<number> => {
  const began = performance.now();
  await run();
  return performance.now() - began;
};
