import type { TestUpstream } from '../../upstream-server.ts';

/** A provider of fine-tuning, as its documentation says it is spoken to. */
export interface TuningVendor {
  readonly upstream: TestUpstream;
  /** Lets all jobs that run come to their end, or fail with a message. */
  finish(message?: string): void;
}
