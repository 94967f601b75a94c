import type { Cancellation } from '../http/http.ts';

/** A cancellation that never happens. */
export const neverCancelled: Cancellation = { cancelled: false, onCancel: () => () => {} };

/** A cancellation, and a function that cancels it. */
export const createCancellation = (): { readonly cancellation: Cancellation; readonly cancel: () => void } => {
  const listeners = new Set<() => void>();
  const cancellation = {
    cancelled: false,
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
