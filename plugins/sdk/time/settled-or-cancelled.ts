import type { Cancellation } from '../http/http.ts';

/** Waits until a promise settles, whether it is fulfilled or rejected, or until the request is cancelled. */
export const settledOrCancelled = (promise: Promise<unknown>, cancellation: Cancellation): Promise<void> =>
  new Promise((resolve) => {
    const stopListening = cancellation.onCancel(resolve);
    const end = (): void => {
      stopListening();
      resolve();
    };
    promise.then(end, end);
  });
