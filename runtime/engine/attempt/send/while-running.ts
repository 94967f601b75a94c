import type { Cancellation } from '../../../../plugins/sdk/http/http.ts';

/** Waits for something, but no longer than the attempt lasts. Undefined if the attempt was cancelled. */
export const whileRunning = <Value>(scope: Cancellation, work: Promise<Value>): Promise<Value | undefined> =>
  new Promise((settle, reject) => {
    const stop = scope.onCancel(() => settle(undefined));
    work.then(settle, reject).finally(stop);
  });
