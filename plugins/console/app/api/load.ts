import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { acrossSessions } from './across-sessions.ts';
import { type ApiError, asApiError } from './error.ts';

/** The state of a value that is loaded. A reload keeps the previous value. */
export type Loading<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: ApiError }
  | { readonly status: 'ready'; readonly value: Value; readonly isStale: boolean };

export interface Loader<Value> {
  readonly state: ReadonlySignal<Loading<Value>>;
  /** Loads the value again. The current value stays until the new one arrives. */
  readonly reload: () => void;
}

/**
 * Loads a value when the component is mounted and whenever one of `inputs` (compared as in hooks) changes. A newer load
 * aborts the signal of the one before and drops its result. A load without a session waits until somebody signs in.
 */
export const useLoaded = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[] = [],
): Loader<Value> => {
  const state = useSignal<Loading<Value>>({ status: 'loading' });
  const running = useRef<AbortController | undefined>(undefined);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const before = state.peek();
    state.value = before.status === 'ready' ? { ...before, isStale: true } : { status: 'loading' };
    acrossSessions(() => latest.current(controller.signal), controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) state.value = { status: 'ready', value, isStale: false };
      },
      (thrown) => {
        if (!controller.signal.aborted) state.value = { status: 'failed', error: asApiError(thrown) };
      },
    );
  }, []);
  // The first paint of a page takes a tenth of a second. Loading starts before it so that responses can arrive meanwhile.
  useLayoutEffect(() => {
    reload();
    return () => running.current?.abort();
  }, inputs);
  return { state, reload };
};

/** Whether a load is in progress. */
const isLoading = (now: Loading<unknown>): boolean =>
  now.status === 'loading' || (now.status === 'ready' && now.isStale);

/** Reloads periodically while the page is visible, for values such as counters. Skips a reload while another one runs. */
export const usePolling = ({ state, reload }: Loader<unknown>, everyMs: number): void => {
  const latest = useRef<() => void>(reload);
  latest.current = () => {
    if (!isLoading(state.peek())) reload();
  };
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};
