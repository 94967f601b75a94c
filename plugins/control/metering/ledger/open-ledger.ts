import { dayMs } from '../../../../schema/durations.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { pruneHourly } from '../../kernel/jobs/prune-hourly.ts';
import { type LimitPolicy, presentWindows } from '../../kernel/limits/limit-policy.ts';
import type { Store } from '../../kernel/store/store.ts';
import { readLimits } from '../policies/read-limits.ts';
import { counterSums, pruneLedger } from './ledger-store.ts';
import { LedgerWriter, type LedgerWriterOptions } from './ledger-writer.ts';
import type { PostedCharge } from './posting.ts';

export interface LedgerOptions extends Omit<LedgerWriterOptions, 'store'> {
  readonly store: Store;
  /** How much is stored of single attempts; 30 days and 8,192 megabytes by default. */
  readonly kept?: { readonly days?: number | undefined; readonly megabytes?: number | undefined };
}

/** The ledger of a store, which is written and pruned until it is closed. */
export class Ledger extends LedgerWriter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #pruning: ReturnType<typeof pruneHourly>;

  constructor({ kept = {}, ...options }: LedgerOptions) {
    super(options);
    const { store, clock } = options;
    const { days = 30, megabytes = 8192 } = kept;
    this.#store = store;
    this.#clock = clock;
    this.#pruning = pruneHourly({
      ...{ clock, store },
      prune: async (now, isOver) => {
        const windows = presentWindows((await readLimits(store.db)).values(), now);
        const options = { before: now - days * dayMs, now, windows, maxBytes: megabytes * 1_000_000 };
        await pruneLedger(store, options, isOver);
      },
    });
  }

  /**
   * Returns the sums that counters of this process start from: for each counter, in its latest window, in the windows of the
   * limits, and in the current windows of common periods. Rejects with a `StoreError`.
   */
  sums(limits: Iterable<readonly LimitPolicy[]> = []): Promise<readonly PostedCharge[]> {
    const now = this.#clock.wall();
    return counterSums(this.#store, now, presentWindows(limits, now));
  }

  override async close(): Promise<void> {
    await this.#pruning.close();
    await super.close();
  }
}
