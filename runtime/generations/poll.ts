import type { Clock } from '../ports/clock.ts';

export interface PollOptions {
  readonly clock: Clock;
  /** Milliseconds from the end of one look to the start of the next. */
  readonly everyMs: number;
  /** Must not reject. */
  readonly look: () => Promise<void>;
}

export interface Poll {
  /** Looks at once, or again where a look is under way: it may have missed what has just happened. */
  now(): void;
  stop(): void;
}

/** Looks at something again and again, never twice at a time. */
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
