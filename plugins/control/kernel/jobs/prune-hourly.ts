import type { Clock } from '../../../sdk/clock.ts';
import type { Store } from '../store/store.ts';

/** Work that is repeated until it is closed. */
export interface Repetition {
  /** Resolves when the current run, if any, has ended. */
  close(): Promise<void>;
}

/**
 * Runs a function so many milliseconds from now, and again that long after each run ends. The function handles its own
 * rejections.
 */
export const repeat = (
  clock: Pick<Clock, 'after'>,
  ms: number,
  run: (isOver: () => boolean) => Promise<unknown>,
): Repetition => {
  let isClosed = false;
  let cancel = (): void => {};
  let running: Promise<unknown> = Promise.resolve();

  const schedule = (): void => {
    if (isClosed) return;
    cancel = clock.after(ms, () => {
      running = run(() => isClosed)
        .catch(() => {})
        .finally(schedule);
    });
  };
  schedule();

  return {
    close: async () => {
      isClosed = true;
      cancel();
      await running;
    },
  };
};

/**
 * Deletes old records every hour until it is closed, in one of the workers that share a store. If the store is unavailable, they
 * stay for another hour.
 */
export const pruneHourly = ({
  clock,
  store,
  prune,
}: {
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  readonly store: Pick<Store, 'leads'>;
  /** Deletes, in steps, what is old at a time in milliseconds since the epoch, until `isOver` returns true. */
  readonly prune: (now: number, isOver: () => boolean) => Promise<unknown>;
}): Repetition =>
  repeat(clock, 3_600_000, async (isOver) => {
    if ((await store.leads?.()) !== false) await prune(clock.wall(), isOver);
  });

/**
 * Deletes old records in small transactions until one of them finds nothing or `isOver` returns true. Each step resolves to the
 * number of deleted records.
 */
export const pruneSteps = async (step: () => Promise<number | bigint>, isOver: () => boolean): Promise<void> => {
  let deleted: number | bigint = 1;
  while (deleted > 0 && !isOver()) deleted = await step();
};
