import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ApiError, asApiError } from './error.ts';

/** How far the loading of a value is. A reload keeps the value that was shown. */
export type Loading<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: ApiError }
  | { readonly status: 'ready'; readonly value: Value; readonly isStale: boolean };

export interface Loader<Value> {
  readonly state: ReadonlySignal<Loading<Value>>;
  /** Asks again; what is shown stays until the answer comes. */
  readonly reload: () => void;
}

/**
 * Loads a value when the component is shown and whenever one of `inputs` (compared as in hooks) changes. An answer that a
 * later question overtook is dropped: its signal is aborted.
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
    latest.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) state.value = { status: 'ready', value, isStale: false };
      },
      (thrown) => {
        if (!controller.signal.aborted) state.value = { status: 'failed', error: asApiError(thrown) };
      },
    );
  }, []);
  // The first paint of a page takes a tenth of a second, in which the answers can come.
  useLayoutEffect(() => {
    reload();
    return () => running.current?.abort();
  }, inputs);
  return { state, reload };
};

/** Whether an answer is awaited. */
const isAsking = (now: Loading<unknown>): boolean =>
  now.status === 'loading' || (now.status === 'ready' && now.isStale);

/** Loads again and again while the page can be seen: counters that move. A question that has no answer yet is not asked anew. */
export const usePolling = ({ state, reload }: Loader<unknown>, everyMs: number): void => {
  const latest = useRef<() => void>(reload);
  latest.current = () => {
    if (!isAsking(state.peek())) reload();
  };
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};
