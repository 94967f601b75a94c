import type { Cancellation } from './http.ts';

/** A cancellation that never happens. */
export const neverCancelled: Cancellation = { cancelled: false, onCancel: () => () => {} };

/** A cancellation, and a function that cancels it. */
export const createCancellation = (): { readonly cancellation: Cancellation; readonly cancel: () => void } => {
  const listeners = new Set<() => void>();
  let cancelled = false;
  return {
    cancellation: {
      get cancelled() {
        return cancelled;
      },
      onCancel: (listener) => {
        if (cancelled) listener();
        else listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    cancel: () => {
      cancelled = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
};
