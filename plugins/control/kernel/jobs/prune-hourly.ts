import type { Clock } from '../../../sdk/clock.ts';
import type { Store } from '../store/store.ts';

/** Work that is repeated until it is closed. */
export interface Repetition {
  /** Resolves when what runs at the moment has ended. */
  close(): Promise<void>;
}

/** Runs something so many milliseconds from now, and as long after each end of it. What it rejects with is left to it. */
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

/** Deletes what is old each hour until it is closed, in one of the workers that share a store. What is old stays for another hour where the store is unavailable. */
export const pruneHourly = ({
  clock,
  store,
  prune,
}: {
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  readonly store: Pick<Store, 'leads'>;
  /** Deletes what is old at a time, in milliseconds since the epoch, in steps, until `isOver` says so. */
  readonly prune: (now: number, isOver: () => boolean) => Promise<unknown>;
}): Repetition =>
  repeat(clock, 3_600_000, async (isOver) => {
    if ((await store.leads?.()) !== false) await prune(clock.wall(), isOver);
  });

/** Deletes what is old, in small transactions, until one of them finds nothing or `isOver` says so. Each resolves to how much it deleted. */
export const pruneSteps = async (step: () => Promise<number | bigint>, isOver: () => boolean): Promise<void> => {
  let deleted: number | bigint = 1;
  while (deleted > 0 && !isOver()) deleted = await step();
};
