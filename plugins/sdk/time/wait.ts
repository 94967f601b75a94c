import type { Cancellation } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';

/** Waits; resolves to false at once if the request is cancelled first. */
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
