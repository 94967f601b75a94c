import type { PostedCharge } from '../limits/limits.ts';
import { pruneHourly } from '../store/prune-hourly.ts';
import type { Store } from '../store/store.ts';
import { counterSums, pruneLedger } from './ledger-store.ts';
import { createLedgerWriter, type LedgerWriter, type LedgerWriterOptions } from './ledger-writer.ts';
import { dayMs } from './write-labels.ts';

export interface LedgerOptions extends Omit<LedgerWriterOptions, 'store'> {
  readonly store: Store;
  /** For how many days each attempt is kept; 400 if absent. */
  readonly keepDays?: number;
}

/** What each attempt used and cost. */
export interface Ledger extends LedgerWriter {
  /** What counters of this process start from: the sum of each in its latest window. Rejects with a `StoreError`. */
  sums(): Promise<readonly PostedCharge[]>;
}

const usualKeepDays = 400;

/** Opens the ledger of a store, which is written and pruned until it is closed. */
export const openLedger = ({ store, keepDays = usualKeepDays, ...options }: LedgerOptions): Ledger => {
  const { clock } = options;
  const writer = createLedgerWriter({ store, ...options });
  const pruning = pruneHourly({
    clock,
    prune: (now, isOver) => pruneLedger(store, { before: now - keepDays * dayMs, now }, isOver),
  });

  const close = async (): Promise<void> => {
    await pruning.close();
    await writer.close();
  };
  let closing: Promise<void> | undefined;

  return {
    behind: writer.behind,
    committed: writer.committed,
    adjust: writer.adjust,
    flush: writer.flush,
    written: writer.written,
    get lost() {
      return writer.lost;
    },
    sums: () => counterSums(store, clock.wall()),
    close: () => (closing ??= close()),
  };
};
