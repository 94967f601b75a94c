import type { Clock } from '../../../sdk/clock.ts';
import type { Store } from './store.ts';

export interface PollOptions {
  readonly clock: Clock;
  /** Milliseconds between an answer and the next question. */
  readonly pollMs: number;
  readonly watch: Store['watch'];
  /** Asks once; it handles its own rejections, but for the first time. */
  readonly ask: () => Promise<void>;
}

/** Asks again and again, and soon after the store has reported a change. */
export interface Poll {
  /** Asks, and goes on from then on. Rejects, and does not go on, if the first question fails. */
  start(): Promise<void>;
  /** Asks once more, beside that; resolves when it was answered, or could not be. */
  now(): Promise<void>;
  close(): void;
}

export const createPoll = ({ clock, pollMs, watch, ask }: PollOptions): Poll => {
  let state: 'new' | 'idle' | 'asking' | 'closed' = 'new';
  let askAgain = false;
  let last: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  let stopWatching = (): void => {};

  /** One question after another. */
  const asked = (): Promise<void> => {
    const answered = last.then(ask);
    last = answered.catch(() => {});
    return answered;
  };

  const isClosed = (): boolean => state === 'closed';

  const rest = (): void => {
    state = 'idle';
    stopTimer = clock.after(pollMs, () => void follow());
  };

  const follow = async (): Promise<void> => {
    state = 'asking';
    do {
      askAgain = false;
      await asked().catch(() => {});
    } while (askAgain && !isClosed());
    if (!isClosed()) rest();
  };

  const soon = (): void => {
    askAgain = true;
    if (state !== 'idle') return;
    stopTimer();
    void follow();
  };

  return {
    async start() {
      await asked();
      if (isClosed()) return;
      stopWatching = watch(soon);
      rest();
    },
    now: () => (isClosed() ? Promise.resolve() : asked().catch(() => {})),
    close() {
      state = 'closed';
      stopTimer();
      stopWatching();
    },
  };
};
