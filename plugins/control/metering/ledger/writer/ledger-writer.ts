import { errorText } from '../../../../../schema/text/error-text.ts';
import { formatUsd } from '../../../../../schema/text/format-usd.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import { ownModule } from '../../../../sdk/modules/own-module.ts';
import { newId } from '../../../kernel/store/new-id.ts';
import { type Store, StoreError } from '../../../kernel/store/store.ts';
import { createRecords, type LedgerRecord, recordedCharge } from '../record/ledger-record.ts';
import type { LedgerEntry, PostedCharge, Posting, Postings, TakenPostings } from '../record/posting.ts';
import { workBytes } from '../rows/ledger-work.ts';
import type { LabelBounds } from '../rows/write-labels.ts';
import { isFaultOfRows } from './is-fault-of-rows.ts';
import { type LostPostings, nothingLost, withLost } from './lost-postings.ts';
import { PostingQueue } from './posting-queue.ts';

export interface LedgerWriterOptions {
  readonly store: Pick<Store, 'perform'>;
  readonly clock: Clock;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** How many postings are kept apart while they cannot be written; 10,000 if absent. */
  readonly maxWaiting?: number;
  readonly labelBounds?: LabelBounds;
}

/** Writes postings to the ledger, some at a time. */
export interface LedgerWriter {
  /** For counters of this process: postings are in memory until they are written, within half a second. It never throws. */
  readonly behind: TakenPostings<LedgerEntry>;
  /**
   * For counters that keep postings until they are in the ledger: resolves when all of these are. While the store is unavailable it
   * waits, and it rejects with a `StoreError` when the writer is closed before.
   */
  readonly committed: Postings<LedgerEntry>;
  /** Charges a counter without an attempt, as where an operator resets it. It never throws. */
  adjust(charge: PostedCharge): void;
  /** Resolves when all that was posted so far is written, or could not be for now. It never rejects. */
  flush(): Promise<void>;
  /**
   * Resolves when all that was posted so far is written. While the store is unavailable it waits, until the writer is closed. It
   * never rejects.
   */
  written(): Promise<void>;
  readonly lost: LostPostings;
  /** Writes what is left, if the store can be written; the operator is told of what is lost. */
  close(): Promise<void>;
}

const ledgerJob = ownModule('plugins/control/metering/ledger/writer/ledger-job');

const periodMs = 500;
const longestWaitMs = 30_000;
const largestBatch = 1000;

/** What became of a batch: all is written or never will be, or the store cannot be written for now. */
type Outcome = { readonly kind: 'done' } | { readonly kind: 'unavailable'; readonly error: unknown };

export const createLedgerWriter = (options: LedgerWriterOptions): LedgerWriter => {
  const { store, clock, say, maxWaiting = 10_000, labelBounds } = options;
  const freshId = (): string => newId(clock.wall());
  const toRecord = createRecords();
  const queue = new PostingQueue({ most: maxWaiting, newId: freshId });
  const id = freshId();
  const logged = { unavailable: false, merging: false, lost: false };
  let lost = nothingLost;
  let batchSize = largestBatch;
  let waitMs = periodMs;
  let cancelTimer: (() => void) | undefined;
  let flushing: Promise<void> | undefined;
  let isClosed = false;

  /** One whose amounts are absurd has no record. */
  const lose = (record: LedgerRecord | undefined, why: string): void => {
    lost = withLost(lost, record);
    if (logged.lost) return;
    logged.lost = true;
    say(
      `gw: An attempt is not in the ledger: ${why} Others that follow are counted, and told when the gateway ends.\n`,
    );
  };

  /** Writes the first ones that wait. Of records that cannot be written together, it finds those that cannot be written at all. */
  const write = async (count: number): Promise<Outcome> => {
    try {
      await store.perform(ledgerJob, workBytes(queue.records, { writer: id, count, bounds: labelBounds }));
    } catch (error) {
      if (!isFaultOfRows(error)) return { kind: 'unavailable', error };
      if (count > 1) return writeHalves(count);
      for (const record of queue.records.read(1)) lose(record, errorText(error));
    }
    queue.done(count);
    return { kind: 'done' };
  };

  const writeHalves = async (count: number): Promise<Outcome> => {
    const half = Math.ceil(count / 2);
    const first = await write(half);
    return first.kind === 'unavailable' ? first : write(count - half);
  };

  const recover = (): void => {
    batchSize = largestBatch;
    waitMs = periodMs;
    if (logged.unavailable) say('gw: The ledger is written again.\n');
    logged.unavailable = false;
    logged.merging &&= queue.isMerging;
  };

  const beUnavailable = (error: unknown): void => {
    batchSize = Math.max(1, Math.floor(batchSize / 4));
    waitMs = Math.min(longestWaitMs, waitMs * 2);
    if (logged.unavailable) return;
    logged.unavailable = true;
    say(`gw: The ledger cannot be written: ${errorText(error)} What requests use is kept in memory until it can.\n`);
  };

  /**
   * Writes all that waits when it begins. What comes meanwhile waits for the next time, so that it is written together with
   * others, unless somebody waits for it or it fills a batch.
   */
  const writeAll = async (): Promise<void> => {
    let due = queue.size;
    while (due > 0 || queue.isAwaited || queue.size >= batchSize) {
      const count = queue.next(batchSize);
      if (count === 0) return;
      const outcome = await write(count);
      if (outcome.kind === 'unavailable') {
        beUnavailable(outcome.error);
        return;
      }
      due -= count;
      recover();
    }
  };

  const flush = (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
      if (queue.isAwaited && !logged.unavailable) void flush();
      else if (queue.size > 0) schedule(waitMs);
    });
    return flushing;
  };

  const schedule = (ms: number): void => {
    if (isClosed || cancelTimer !== undefined || flushing !== undefined) return;
    cancelTimer = clock.after(ms, () => {
      cancelTimer = undefined;
      void flush();
    });
  };

  const add = (record: LedgerRecord): void => {
    if (isClosed) {
      lose(record, 'It came when the ledger was closed.');
      return;
    }
    if (!queue.add(record)) lose(record, 'There is no more room for postings while the ledger cannot be written.');
    if (queue.isMerging && !logged.merging) {
      logged.merging = true;
      say(
        `gw: More than ${maxWaiting} postings wait for the ledger. Those that follow are added up: sums stay exact, and their ids and traces are not kept.\n`,
      );
    }
    if (queue.size >= maxWaiting / 2 && !logged.unavailable) void flush();
    schedule(waitMs);
  };

  /** The record of a posting; one with absurd amounts is lost. */
  const recorded = (posting: Posting<LedgerEntry>): LedgerRecord | undefined => {
    try {
      return toRecord(posting);
    } catch (error) {
      lose(undefined, errorText(error));
      return undefined;
    }
  };

  const take = (posting: Posting<LedgerEntry>): void => {
    const record = recorded(posting);
    if (record !== undefined) add(record);
  };

  /** Resolves when all of them are written. */
  const post = (postings: readonly Posting<LedgerEntry>[]): Promise<void> => {
    if (isClosed) return Promise.reject(new StoreError('The ledger is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let left = 1;
    const written = (): void => {
      left -= 1;
      if (left === 0) resolve();
    };
    const waiter = { written, given: reject };
    for (const posting of postings) {
      const record = recorded(posting);
      if (record === undefined) continue;
      left += 1;
      queue.addAwaited(record, waiter);
    }
    written();
    if (!logged.unavailable) void flush();
    schedule(waitMs);
    return promise;
  };

  const written = (): Promise<void> =>
    new Promise((resolve) => {
      queue.afterAll(resolve);
      if (!logged.unavailable) void flush();
    });

  const close = async (): Promise<void> => {
    isClosed = true;
    await flush();
    if (queue.size > 0) await flush();
    for (const record of queue.giveUp(new StoreError('The ledger was closed before it could be written.')))
      lost = withLost(lost, record);
    if (lost.postings === 0) return;
    say(
      `gw: ${lost.postings} postings are not in the ledger: ${lost.attempts} attempts, of ${formatUsd(lost.nanoUsd)} US dollars.\n`,
    );
  };
  let closing: Promise<void> | undefined;

  return {
    behind: { take },
    committed: { post },
    adjust(charge) {
      add({ id: freshId(), at: clock.wall(), charges: [recordedCharge(charge)] });
    },
    async flush() {
      await flushing;
      await flush();
    },
    written,
    get lost() {
      return lost;
    },
    close: () => (closing ??= close()),
  };
};
