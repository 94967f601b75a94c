import type { Clock as PluginClock } from '../../plugins/sdk/clock.ts';

/** The gateway's clock. */
export interface Clock extends PluginClock {
  /** Like `after`, for timers that do not keep a process alive. If the method is absent, `after` is used. */
  afterUnref?(ms: number, run: () => void): () => void;
}
