import { isBusy } from './failure.ts';

/** Runs writes one after another, in the order of the calls. */
type InTurn = <Result>(run: () => Promise<Result>) => Promise<Result>;

/**
 * Runs the writes of one process to a file that others may write to as well. If another process made a write wait until it
 * failed, all writes that waited behind it fail too, because each would wait as long again.
 */
export const writesInTurn = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;
  /** The last write that was waiting when one failed, and how that one failed. */
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
