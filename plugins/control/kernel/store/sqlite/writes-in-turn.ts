import { isBusy } from './failure.ts';

/** Runs writes one after another, in the order in which they are asked for. */
export type InTurn = <Result>(run: () => Promise<Result>) => Promise<Result>;

/**
 * Writes of one process, of a file that others may write too. When one was kept waiting by another process until it failed,
 * those that have waited behind it fail with it: each would wait as long again.
 */
export const writesInTurn = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;
  /** The last write that had been asked for when one failed, and how that failed. */
  let blocked: { readonly until: number; readonly error: unknown } | undefined;

  return (run) => {
    asked += 1;
    const number = asked;
    const mine = last.then(async () => {
      if (blocked !== undefined && number <= blocked.until) throw blocked.error;
      try {
        return await run();
      } catch (error) {
        if (isBusy(error)) blocked = { until: asked, error };
        throw error;
      }
    });
    last = mine.catch(() => {});
    return mine;
  };
};
