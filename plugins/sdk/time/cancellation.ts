import type { Cancellation } from '../http/http.ts';

/** A cancellation that never happens. */
export const neverCancelled: Cancellation = { cancelled: false, onCancel: () => () => {} };

/** Creates a cancellation and a function that cancels it. `takeMemory` counts the bytes that are received under it. */
export const createCancellation = ({
  takeMemory,
}: Pick<Cancellation, 'takeMemory'> = {}): { readonly cancellation: Cancellation; readonly cancel: () => void } => {
  const listeners = new Set<() => void>();
  const cancellation = {
    ...{ cancelled: false, takeMemory },
    onCancel: (listener: () => void) => {
      if (cancellation.cancelled) listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    cancellation,
    cancel: () => {
      cancellation.cancelled = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
};
