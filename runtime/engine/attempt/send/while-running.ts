import type { AttemptScope } from '../../call/attempt-scope.ts';

/** Waits for something, but no longer than the attempt lasts: undefined if it was cancelled. */
export const whileRunning = <Value>(scope: AttemptScope, work: Promise<Value>): Promise<Value | undefined> =>
  new Promise((settle, reject) => {
    const stop = scope.onCancel(() => settle(undefined));
    work.then(settle, reject).finally(stop);
  });
