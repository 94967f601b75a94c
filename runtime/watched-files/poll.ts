import type { Clock } from '../ports/clock.ts';

export interface PollOptions {
  readonly clock: Clock;
  /** How many milliseconds from the end of one check to the start of the next. */
  readonly everyMs: number;
  /** Must not reject. */
  readonly look: () => Promise<void>;
}

export interface Poll {
  /** Checks immediately, or again after the running check, which may have missed the latest change. */
  now(): void;
  stop(): void;
}

/** Checks something periodically, never concurrently. */
export const poll = ({ clock, everyMs, look }: PollOptions): Poll => {
  let state: 'waiting' | 'looking' | 'looking-again' | 'stopped' = 'waiting';
  let cancel = (): void => {};
  const wait = (): void => {
    state = 'waiting';
    cancel = clock.after(everyMs, run);
  };
  const run = (): void => {
    state = 'looking';
    void look().then(() => {
      if (state === 'looking') wait();
      else if (state === 'looking-again') run();
    });
  };
  wait();
  return {
    now: () => {
      if (state === 'looking') state = 'looking-again';
      if (state !== 'waiting') return;
      cancel();
      run();
    },
    stop: () => {
      state = 'stopped';
      cancel();
    },
  };
};
