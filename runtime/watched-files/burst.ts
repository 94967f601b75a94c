import type { Clock } from '../ports/clock.ts';

/** Editors and deployments write in several steps. A change is read after this long without another one. */
const quietMs = 100;
/** No change waits longer than this, however many follow it. */
const longestMs = 500;

export interface BurstOptions {
  readonly clock: Clock;
  /** Must not reject. */
  readonly run: () => Promise<void>;
}

export interface Burst {
  /** Adds one change. */
  add(): void;
  stop(): void;
}

/** Runs something once for many changes in a row, and never concurrently: changes during a run start another burst. */
export const burst = ({ clock, run }: BurstOptions): Burst => {
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  let began: number | undefined;
  let cancel = (): void => {};
  const fire = (): void => {
    state = 'running';
    began = undefined;
    void run().then(() => {
      if (state === 'stopped') return;
      state = 'idle';
      if (began !== undefined) wait();
    });
  };
  const wait = (): void => {
    const now = clock.monotonic();
    began ??= now;
    if (state !== 'idle') return;
    cancel();
    cancel = clock.after(Math.max(0, Math.min(quietMs, began + longestMs - now)), fire);
  };
  return {
    add: wait,
    stop: () => {
      state = 'stopped';
      cancel();
    },
  };
};
