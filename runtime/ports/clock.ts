import type { Clock as PluginClock } from '../../plugins/sdk/clock.ts';

/** The gateway's clock. */
export interface Clock extends PluginClock {
  /** The same as `after`, for what no process stays alive for; if the method is absent, `after` is used. */
  afterUnref?(ms: number, run: () => void): () => void;
}
