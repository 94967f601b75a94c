import { afterAll, beforeAll } from 'vitest';

/** Takes what is to be done when all tests of a group are over; the last is done first. */
export type WhenFinished = (end: () => void | Promise<void>) => void;

/** Something that the tests of a file or a group share. It is started before the first of them, unless there is none here. */
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
