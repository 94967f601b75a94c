import type { Clock } from '../../../sdk/clock.ts';

export interface PruneHourlyOptions {
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  /** Deletes what is old at a time, in milliseconds since the epoch, in steps, until `isOver` says so. */
  readonly prune: (now: number, isOver: () => boolean) => Promise<unknown>;
}

const everyMs = 3_600_000;

/** Deletes what is old each hour until it is closed. What is old stays for another hour where the store is unavailable. */
export const pruneHourly = ({ clock, prune }: PruneHourlyOptions): { close(): Promise<void> } => {
  let isClosed = false;
  let cancel = (): void => {};
  let pruning: Promise<unknown> = Promise.resolve();

  const run = (): void => {
    pruning = prune(clock.wall(), () => isClosed)
      .catch(() => {})
      .finally(schedule);
  };
  const schedule = (): void => {
    if (!isClosed) cancel = clock.after(everyMs, run);
  };
  schedule();

  return {
    close: async () => {
      isClosed = true;
      cancel();
      await pruning;
    },
  };
};

/** Deletes what is old, in small transactions, until one of them finds nothing or `isOver` says so. Each resolves to how much it deleted. */
export const pruneSteps = async (step: () => Promise<number | bigint>, isOver: () => boolean): Promise<void> => {
  let deleted: number | bigint = 1;
  while (deleted > 0 && !isOver()) deleted = await step();
};
