import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../plugins/testkit/route/cancellation.ts';

/** A client that can disconnect, and a count of the remaining listeners. */
export interface CountingCancellation {
  readonly cancellation: Cancellation;
  readonly cancel: () => void;
  readonly listening: number;
}

export const createCountingCancellation = (): CountingCancellation => {
  const { cancellation, cancel } = createCancellation();
  let listening = 0;
  return {
    cancellation: {
      get cancelled() {
        return cancellation.cancelled;
      },
      onCancel: (listener) => {
        listening += 1;
        const stop = cancellation.onCancel(listener);
        let stopped = false;
        return () => {
          if (!stopped) listening -= 1;
          stopped = true;
          stop();
        };
      },
    },
    cancel,
    get listening() {
      return listening;
    },
  };
};
