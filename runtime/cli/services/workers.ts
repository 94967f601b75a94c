import type { ReadEnvironment } from '../settings/read-environment.ts';
import type { Address, ServeOptions } from '../settings/serve-options.ts';

/** A gateway that is to be served by several processes. */
export interface WorkersOptions {
  readonly wanted: number | 'auto';
  /** The command line of `gw serve`, which each of them gets. */
  readonly argv: readonly string[];
  readonly options: ServeOptions;
  readonly environment: ReadEnvironment;
  readonly address: Address;
  /** The URL or path of the store; absent without one. */
  readonly store: string | undefined;
  readonly drainMs: number;
  readonly drainDelayMs: number;
  /** Lists the files that have changed since they were loaded, and take effect only after a restart. */
  readonly changedSince: () => Promise<readonly string[]>;
}
