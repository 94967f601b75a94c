import type { LedgerRecord } from './ledger-record.ts';
import { MergedRecords } from './merged-records.ts';

/** Settles the promise of who waits for a record to be written. */
export interface Waiter {
  written(): void;
  /** It will not be written by this process. */
  given(error: Error): void;
}

interface Waiting {
  readonly record: LedgerRecord;
  readonly waiters: Waiter[];
}

/** How many ids of merged records are remembered, so that the same one is not counted again. */
const mostIds = 100_000;

/**
 * Records that are to be written, in their order and each once. Beyond `most` they are merged, but for those that somebody
 * waits for.
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

  /** False if there is no place for it: it is lost. */
  add(record: LedgerRecord): boolean {
    const { id } = record;
    if (this.#waiting.has(id) || this.#mergedIds.has(id)) return true;
    const isOfMerged = this.#mergedIds.has(record.row?.corrects ?? '');
    if (this.#waiting.size < this.#most && this.#merged.size === 0 && !isOfMerged) {
      this.#waiting.set(id, { record, waiters: [] });
      return true;
    }
    const added = this.#merged.add(this.#mergeable(record));
    if (added) this.#remember(id);
    return added;
  }

  /** Adds one that is written before somebody goes on. */
  addAwaited(record: LedgerRecord, waiter: Waiter): void {
    const waiting = this.#waiting.get(record.id) ?? { record, waiters: [] };
    waiting.waiters.push(waiter);
    this.#waiting.set(record.id, waiting);
  }

  /** The first ones, which stay until `done`. */
  next(count: number): readonly LedgerRecord[] {
    if (this.#waiting.size < this.#most && this.#merged.size > 0)
      for (const record of this.#merged.takeAll(this.#newId)) this.#waiting.set(record.id, { record, waiters: [] });
    const records: LedgerRecord[] = [];
    for (const { record } of this.#waiting.values()) {
      if (records.length === count) break;
      records.push(record);
    }
    return records;
  }

  /** They are written, or never will be. */
  done(records: readonly LedgerRecord[]): void {
    for (const { id } of records) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      for (const waiter of waiting?.waiters ?? []) waiter.written();
    }
  }

  /** Takes out all that is left, and answers those that nobody waits for. */
  giveUp(error: Error): readonly LedgerRecord[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { waiters } of all) for (const waiter of waiters) waiter.given(error);
    const left = all.filter(({ waiters }) => waiters.length === 0).map(({ record }) => record);
    return [...left, ...this.#merged.takeAll(this.#newId)];
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
