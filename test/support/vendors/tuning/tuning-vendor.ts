import type { TestUpstream } from '../../servers/upstream-server.ts';

/** A provider of fine-tuning that works as its documentation describes. */
export interface TuningVendor {
  readonly upstream: TestUpstream;
  /** Ends all running jobs, or makes them fail with a message. */
  finish(message?: string): void;
}
