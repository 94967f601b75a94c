import type { Cancellation } from './http.ts';
import type { Timers } from './in-process.ts';

/** Waits; resolves to false, at once, where the request is called off before the time is over. */
export const wait = (ms: number, timers: Timers, cancellation: Cancellation): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = timers.after(ms, () => {
      stopListening();
      resolve(true);
    });
    const stopListening = cancellation.onCancel(() => {
      callOff();
      resolve(false);
    });
  });
