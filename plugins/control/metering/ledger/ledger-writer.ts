import { errorText } from '../../../../schema/text/error-text.ts';
import { formatUsd } from '../../../../schema/text/format-usd.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { type Store, StoreError } from '../../kernel/store/store.ts';
import { isErrorOfRows } from './is-error-of-rows.ts';
import { createRecords, type LedgerRecord, recordedCharge } from './ledger-record.ts';
import type { LedgerEntry, PostedCharge, Posting, Postings, TakenPostings } from './posting.ts';
import { PostingQueue } from './posting-queue.ts';
import type { LabelBounds } from './waiting-records.ts';

export interface LedgerWriterOptions {
  readonly store: Pick<Store, 'perform'>;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
  /** How many postings are kept separately while they cannot be written; 10,000 if absent. */
  readonly maxWaiting?: number;
  readonly labelBounds?: LabelBounds;
}

/** The postings that are not in the ledger, and never will be. */
export interface LostPostings {
  readonly postings: number;
  readonly attempts: number;
  readonly nanoUsd: bigint;
}

const ledgerJob = ownModule('plugins/control/metering/ledger/ledger-job');

const periodMs = 500;
const longestWaitMs = 30_000;
const largestBatch = 1000;

/** Writes postings to the ledger, in batches. */
export class LedgerWriter {
  readonly #options: LedgerWriterOptions & { readonly maxWaiting: number };
  readonly #toRecord = createRecords();
  readonly #queue: PostingQueue;
  readonly #id: string;
  readonly #logged = { merging: false, lost: false };
  #failure: string | undefined;
  #lost: LostPostings = { postings: 0, attempts: 0, nanoUsd: 0n };
  #batchSize = largestBatch;
  #waitMs = periodMs;
  #cancelTimer: (() => void) | undefined;
  #flushing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: LedgerWriterOptions) {
    this.#options = { maxWaiting: 10_000, ...options };
    this.#queue = new PostingQueue(this.#options.maxWaiting, () => this.#newId());
    this.#id = this.#newId();
  }

  /** For counters of this process: postings are kept in memory until they are written, within half a second. Never throws. */
  readonly behind: TakenPostings<LedgerEntry> = {
    take: (posting) => {
      const record = this.#record(posting);
      if (record !== undefined) this.#add(record);
    },
  };

  /**
   * For counters that keep postings until they are in the ledger. Resolves when all of these are written. While the store is
   * unavailable it waits, and it rejects with a `StoreError` if the writer is closed before.
   */
  readonly committed: Postings<LedgerEntry> = { post: (postings) => this.#post(postings) };

  get lost(): LostPostings {
    return this.#lost;
  }

  /** Returns why postings could not be written when that was last tried, as a sentence; undefined if they could be. */
  failure(): string | undefined {
    return this.#failure;
  }

  /** Charges a counter without an attempt, for example when an operator resets it. Never throws. */
  adjust(charge: PostedCharge): void {
    this.#add({ id: this.#newId(), at: this.#options.clock.wall(), charges: [recordedCharge(charge)] });
  }

  /** Resolves when everything posted so far is written, or cannot be written at the moment. Never rejects. */
  async flush(): Promise<void> {
    await this.#flushing;
    await this.#flush();
  }

  /**
   * Resolves when everything posted so far is written. While the store is unavailable it waits, until the writer is closed. Never
   * rejects.
   */
  written(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.afterAll(resolve);
      if (this.#failure === undefined) void this.#flush();
    });
  }

  /** Writes what is left, if the store can be written. The operator is notified of what is lost. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #newId(): string {
    return newId(this.#options.clock.wall());
  }

  /** Counts a lost posting. A posting whose amounts are absurd has no record. */
  #countLost(record: LedgerRecord | undefined): void {
    const { postings, attempts, nanoUsd } = this.#lost;
    this.#lost = {
      postings: postings + 1,
      attempts: attempts + (record?.attempt?.attempts ?? (record === undefined ? 1 : 0)),
      nanoUsd: nanoUsd + BigInt(record?.attempt?.nano_usd ?? 0),
    };
  }

  #lose(record: LedgerRecord | undefined, why: string): void {
    this.#countLost(record);
    if (this.#logged.lost) return;
    this.#logged.lost = true;
    this.#options.say(
      `gw: An attempt is not in the ledger: ${why} Others that follow are counted, and reported when the gateway ends.\n`,
    );
  }

  /**
   * Writes the first waiting records. If records cannot be written together, finds those that cannot be written at all. Rejects
   * if the store cannot be written at the moment.
   */
  async #write(count: number): Promise<void> {
    const { records } = this.#queue;
    const { store, labelBounds: bounds } = this.#options;
    try {
      await store.perform(ledgerJob, records.work({ writer: this.#id, count, bounds }));
    } catch (error) {
      if (!isErrorOfRows(error)) throw error;
      const half = Math.ceil(count / 2);
      if (count > 1) {
        await this.#write(half);
        return this.#write(count - half);
      }
      for (const record of records.read(1)) this.#lose(record, errorText(error));
    }
    this.#queue.done(count);
  }

  #recover(): void {
    const logged = this.#logged;
    this.#batchSize = largestBatch;
    this.#waitMs = periodMs;
    if (this.#failure !== undefined) this.#options.say('gw: The ledger is written again.\n');
    this.#failure = undefined;
    logged.merging &&= this.#queue.isMerging;
  }

  #beUnavailable(error: unknown): void {
    this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 4));
    this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 2);
    const wasAvailable = this.#failure === undefined;
    this.#failure = errorText(error);
    if (!wasAvailable) return;
    this.#options.say(
      `gw: The ledger cannot be written: ${this.#failure} What requests use is kept in memory until it can.\n`,
    );
  }

  /**
   * Writes everything that is waiting when it begins. Records that arrive in the meantime wait for the next call, so that they
   * are written together with others, unless a caller waits for them or they fill a batch.
   */
  async #writeAll(): Promise<void> {
    const queue = this.#queue;
    let due = queue.size;
    try {
      while (due > 0 || queue.isAwaited || queue.size >= this.#batchSize) {
        const count = queue.next(this.#batchSize);
        if (count === 0) return;
        await this.#write(count);
        due -= count;
        this.#recover();
      }
    } catch (error) {
      this.#beUnavailable(error);
    }
  }

  #flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
      if (this.#queue.isAwaited && this.#failure === undefined) void this.#flush();
      else if (this.#queue.size > 0) this.#schedule();
    });
    return this.#flushing;
  }

  #schedule(): void {
    if (this.#closing !== undefined || this.#cancelTimer !== undefined || this.#flushing !== undefined) return;
    this.#cancelTimer = this.#options.clock.after(this.#waitMs, () => void this.#flush());
  }

  #add(record: LedgerRecord): void {
    const queue = this.#queue;
    const logged = this.#logged;
    if (this.#closing !== undefined) {
      this.#lose(record, 'It came when the ledger was closed.');
      return;
    }
    if (!queue.add(record))
      this.#lose(record, 'There is no more room for postings while the ledger cannot be written.');
    if (queue.isMerging && !logged.merging) {
      logged.merging = true;
      this.#options.say(
        `gw: More than ${this.#options.maxWaiting} postings wait for the ledger. Those that follow are added up: sums stay exact, and their ids and traces are not kept.\n`,
      );
    }
    if (queue.size >= this.#options.maxWaiting / 2 && this.#failure === undefined) void this.#flush();
    this.#schedule();
  }

  /** Creates the record of a posting. A posting with absurd amounts is lost. */
  #record(posting: Posting<LedgerEntry>): LedgerRecord | undefined {
    try {
      return this.#toRecord(posting);
    } catch (error) {
      this.#lose(undefined, errorText(error));
      return undefined;
    }
  }

  /** Resolves when all of them are written. */
  #post(postings: readonly Posting<LedgerEntry>[]): Promise<void> {
    if (this.#closing !== undefined) return Promise.reject(new StoreError('The ledger is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let left = 1;
    const written = (): void => {
      left -= 1;
      if (left === 0) resolve();
    };
    const waiter = { written, given: reject };
    for (const posting of postings) {
      const record = this.#record(posting);
      if (record === undefined) continue;
      left += 1;
      this.#queue.addAwaited(record, waiter);
    }
    written();
    if (this.#failure === undefined) void this.#flush();
    this.#schedule();
    return promise;
  }

  async #close(): Promise<void> {
    await this.#flush();
    if (this.#queue.size > 0) await this.#flush();
    for (const record of this.#queue.giveUp(new StoreError('The ledger was closed before it could be written.')))
      this.#countLost(record);
    const { postings, attempts, nanoUsd } = this.#lost;
    if (postings === 0) return;
    this.#options.say(
      `gw: ${postings} postings are not in the ledger: ${attempts} attempts, of ${formatUsd(nanoUsd)} US dollars.\n`,
    );
  }
}
