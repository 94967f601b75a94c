import type { SharedPools } from '../../kernel/pools/shared-pools.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import type { LogStore } from './log-store.ts';

/** What the routes of the log are made of. */
export interface LogParts {
  /** Throws a `StoreError` where the log could not be opened. */
  readonly store: () => LogStore;
  readonly settings: LogSettings;
  readonly sealer: Sealer;
  readonly pools: Pick<SharedPools, 'exports' | 'logReads'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
