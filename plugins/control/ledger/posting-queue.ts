import type { LedgerRecord } from './ledger-record.ts';
import { MergedRecords } from './merged-records.ts';
import { readWaiting, recordText } from './waiting-text.ts';

/** Settles the promise of who waits for a record to be written. */
export interface Waiter {
  written(): void;
  /** It will not be written by this process. */
  given(error: Error): void;
}

/** What waits for the ledger. */
export interface Waiting {
  readonly id: string;
  /** The UTF-8 of what `postingText` or `recordText` makes. */
  readonly text: Buffer;
  /** The id of what it corrects, if it is a correction. */
  readonly corrects?: string | undefined;
  readonly waiters?: readonly Waiter[];
}

/** How many ids of merged records are remembered, so that the same one is not counted again. */
const mostIds = 100_000;

/**
 * What is to be written, in its order and each once. Beyond `most` it is merged, but for what somebody waits for.
 */
export class PostingQueue {
  readonly #most: number;
  readonly #newId: () => string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #merged: MergedRecords;
  readonly #mergedIds = new Set<string>();

  constructor({ most, newId }: { readonly most: number; readonly newId: () => string }) {
    this.#most = most;
    this.#newId = newId;
    this.#merged = new MergedRecords(most);
  }

  get size(): number {
    return this.#waiting.size + this.#merged.size;
  }

  get isMerging(): boolean {
    return this.#merged.size > 0;
  }

  /** False if there is no place for it: it is lost. Throws where its amounts are absurd, and it would be merged. */
  add(waiting: Waiting): boolean {
    const { id, text, corrects } = waiting;
    if (this.#waiting.has(id) || this.#mergedIds.has(id)) return true;
    const isOfMerged = corrects !== undefined && this.#mergedIds.has(corrects);
    if (this.#waiting.size < this.#most && this.#merged.size === 0 && !isOfMerged) {
      this.#waiting.set(id, waiting);
      return true;
    }
    const added = this.#merged.add(this.#mergeable(readWaiting(text)));
    if (added) this.#remember(id);
    return added;
  }

  /** Adds one that is written before somebody goes on. */
  addAwaited(waiting: Waiting, waiter: Waiter): void {
    const { waiters = [], ...known } = this.#waiting.get(waiting.id) ?? waiting;
    this.#waiting.set(waiting.id, { ...known, waiters: [...waiters, waiter] });
  }

  /** The first ones, which stay until `done`. */
  next(count: number): readonly Waiting[] {
    if (this.#waiting.size < this.#most && this.#merged.size > 0)
      for (const record of this.#merged.takeAll(this.#newId)) this.#waiting.set(record.id, this.#toWaiting(record));
    const first: Waiting[] = [];
    for (const waiting of this.#waiting.values()) {
      if (first.length === count) break;
      first.push(waiting);
    }
    return first;
  }

  /** They are written, or never will be. */
  done(written: readonly Waiting[]): void {
    for (const { id } of written) {
      const waiters = this.#waiting.get(id)?.waiters;
      this.#waiting.delete(id);
      if (waiters !== undefined) for (const waiter of waiters) waiter.written();
    }
  }

  /** Takes out all that is left, and answers those that nobody waits for. */
  giveUp(error: Error): readonly Waiting[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { waiters = [] } of all) for (const waiter of waiters) waiter.given(error);
    const merged = this.#merged.takeAll(this.#newId);
    return [...all.filter(({ waiters }) => waiters === undefined), ...merged.map((record) => this.#toWaiting(record))];
  }

  #toWaiting(record: LedgerRecord): Waiting {
    return { id: record.id, text: Buffer.from(recordText(record)) };
  }

  /** A difference to an estimate that is not there as a row changes counters alone: the estimate stays. */
  #mergeable(record: LedgerRecord): LedgerRecord {
    const { id, at, charges, row } = record;
    return row === undefined || row.corrects === null ? record : { id, at, charges };
  }

  #remember(id: string): void {
    this.#mergedIds.add(id);
    if (this.#mergedIds.size <= mostIds) return;
    const [oldest = ''] = this.#mergedIds;
    this.#mergedIds.delete(oldest);
  }
}
