import { dayMs } from '../../../../schema/durations.ts';
import { pruneHourly } from '../../kernel/store/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { PostedCharge } from './record/posting.ts';
import { counterSums, pruneLedger } from './rows/ledger-store.ts';
import { createLedgerWriter, type LedgerWriter, type LedgerWriterOptions } from './writer/ledger-writer.ts';

/** How much is kept of single attempts. */
export interface KeptAttempts {
  /** 30 if absent. */
  readonly days?: number | undefined;
  /** 8,192 if absent. */
  readonly megabytes?: number | undefined;
}

export interface LedgerOptions extends Omit<LedgerWriterOptions, 'store'> {
  readonly store: Store;
  readonly kept?: KeptAttempts;
}

/** What each attempt used and cost. */
export interface Ledger extends LedgerWriter {
  /** What counters of this process start from: the sum of each in its latest window. Rejects with a `StoreError`. */
  sums(): Promise<readonly PostedCharge[]>;
}

const defaultDays = 30;
const defaultMegabytes = 8192;
const megabyte = 1_000_000;

/** Opens the ledger of a store, which is written and pruned until it is closed. */
export const openLedger = ({ store, kept = {}, ...options }: LedgerOptions): Ledger => {
  const { clock } = options;
  const { days = defaultDays, megabytes = defaultMegabytes } = kept;
  const maxBytes = megabytes * megabyte;
  const writer = createLedgerWriter({ store, ...options });
  const pruning = pruneHourly({
    clock,
    prune: (now, isOver) => pruneLedger(store, { before: now - days * dayMs, now, maxBytes }, isOver),
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
