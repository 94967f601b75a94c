import type { Cancellation } from '../../../plugins/sdk/http.ts';
import type { Clock } from '../../ports/clock.ts';

/** Resolves after so many milliseconds, or at once when the client leaves. */
export const wait = (clock: Clock, ms: number, cancellation: Cancellation): Promise<void> =>
  new Promise((resolve) => {
    const stopTimer = clock.after(ms, () => {
      stopListening();
      resolve();
    });
    const stopListening = cancellation.onCancel(() => {
      stopTimer();
      resolve();
    });
  });
