import type { Cancellation } from './http.ts';
import type { Timers } from './in-process.ts';

/** Waits; resolves to false, at once, where the request is cancelled before the time is over. */
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
