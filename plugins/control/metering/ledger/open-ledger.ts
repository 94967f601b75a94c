import { dayMs } from '../../../../schema/durations.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { pruneHourly } from '../../kernel/jobs/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import { counterSums, pruneLedger } from './ledger-store.ts';
import { LedgerWriter, type LedgerWriterOptions } from './ledger-writer.ts';
import type { PostedCharge } from './posting.ts';

export interface LedgerOptions extends Omit<LedgerWriterOptions, 'store'> {
  readonly store: Store;
  /** How much is stored of single attempts: 30 days and 8,192 megabytes where nothing else is said. */
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
      prune: (now, isOver) =>
        pruneLedger(store, { before: now - days * dayMs, now, maxBytes: megabytes * 1_000_000 }, isOver),
    });
  }

  /** Reads what counters of this process start from: the sum of each in its latest window. Rejects with a `StoreError`. */
  sums(): Promise<readonly PostedCharge[]> {
    return counterSums(this.#store, this.#clock.wall());
  }

  override async close(): Promise<void> {
    await this.#pruning.close();
    await super.close();
  }
}
