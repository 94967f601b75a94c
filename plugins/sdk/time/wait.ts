import type { Cancellation } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';

/** Waits for `ms` milliseconds and resolves to true. Resolves to false immediately if the request is cancelled first. */
export const wait = (ms: number, timers: Timers, cancellation: Cancellation): Promise<boolean> =>
  new Promise((resolve) => {
    const stopTimer = timers.after(ms, () => {
      stopListening();
      resolve(true);
    });
    const stopListening = cancellation.onCancel(() => {
      stopTimer();
      resolve(false);
    });
  });
