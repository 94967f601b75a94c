import { afterAll, beforeAll } from 'vitest';

/** Registers what must be done when all tests of a group are over. The last one registered runs first. */
export type WhenFinished = (end: () => void | Promise<void>) => void;

/**
 * Shares something between the tests of a file or a group. It is started before the first of them, unless it is not available
 * here.
 */
export const sharedByTests = <Shared>(
  name: string,
  start: (whenFinished: WhenFinished) => Promise<Shared | undefined>,
): (() => Shared) => {
  const ends: (() => void | Promise<void>)[] = [];
  let shared: Shared | undefined;
  beforeAll(async () => {
    shared = await start((end) => void ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (shared === undefined) throw new Error(`The ${name} is there once the tests have begun.`);
    return shared;
  };
};
