const maxTries = 5;

/**
 * Returns the shortest of at most five times in milliseconds, and stops after the first below `enoughMs`, because other
 * processes may occupy the machine during one of them.
 */
export const shortestTime = async (enoughMs: number, readTime: () => Promise<number>): Promise<number> => {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < maxTries && shortest >= enoughMs; tries += 1)
    shortest = Math.min(shortest, await readTime());
  return shortest;
};

/** Returns the milliseconds that something takes. */
export const timed = async (run: () => unknown): Promise<number> => {
  const began = performance.now();
  await run();
  return performance.now() - began;
};
