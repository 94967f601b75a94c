import type { LedgerRecord } from '../record/ledger-record.ts';
import { WaitingRecords } from '../record/waiting-records.ts';
import { MergedRecords } from './merged-records.ts';

/** Settles the promise of who waits for a record to be written. */
export interface Waiter {
  written(): void;
  /** It will not be written by this process. */
  given(error: Error): void;
}

export interface PostingQueueOptions {
  readonly most: number;
  readonly newId: () => string;
}

/** A caller that waits for a record. */
interface Awaited {
  /** Its id and those who have posted it; absent if it was posted for nobody to wait for. */
  readonly posted?: { readonly id: string; readonly waiters: Waiter[] };
  /** Called back when it is written, and all before it. */
  readonly followers: (() => void)[];
}

/** How many ids of merged records are remembered, so that the same one is not counted again. */
const maxIds = 100_000;

/**
 * Holds the records that are to be written, in their order. Beyond `most` it is merged, but for what somebody waits
 * for. The ledger itself writes an id once; what would be merged is compared with all that waits.
 */
export class PostingQueue {
  readonly #most: number;
  readonly #newId: () => string;
  /** The records that wait, and are not merged. */
  readonly records: WaitingRecords = new WaitingRecords();
  /** How many were taken out before the first of them. */
  #taken = 0;
  /** By how many were added before it, in their order. */
  readonly #awaited = new Map<number, Awaited>();
  readonly #findWaiters = new Map<string, Waiter[]>();
  readonly #merged: MergedRecords;
  readonly #mergedIds = new Set<string>();
  /** The ids of what waits, and perhaps of what is written meanwhile; absent while nothing is merged. */
  #waitingIds: Set<string> | undefined;

  constructor({ most, newId }: PostingQueueOptions) {
    this.#most = most;
    this.#newId = newId;
    this.#merged = new MergedRecords(most);
  }

  get size(): number {
    return this.records.count + this.#merged.size;
  }

  get isMerging(): boolean {
    return this.#merged.size > 0;
  }

  /** Whether somebody waits for any of it. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** False if there is no place for it: it is lost. */
  add(record: LedgerRecord): boolean {
    const { id, attempt } = record;
    if (this.#isMerged(id)) return true;
    const corrects = attempt?.corrects ?? null;
    const isOfMerged = corrects !== null && this.#isMerged(corrects);
    if (this.records.count < this.#most && this.#merged.size === 0 && !isOfMerged) {
      this.records.add(record);
      return true;
    }
    this.#waitingIds ??= new Set(this.records.read(this.records.count).map((each) => each.id));
    if (this.#waitingIds.has(id)) return true;
    const added = this.#merged.add(this.#mergeable(record));
    if (added) this.#remember(id);
    return added;
  }

  /** Adds one that is written before somebody goes on. */
  addAwaited(record: LedgerRecord, waiter: Waiter): void {
    const { id } = record;
    const known = this.#findWaiters.get(id);
    if (known !== undefined) {
      known.push(waiter);
      return;
    }
    const waiters = [waiter];
    this.#findWaiters.set(id, waiters);
    this.#awaited.set(this.#taken + this.records.count, { posted: { id, waiters }, followers: [] });
    this.records.add(record);
    this.#waitingIds?.add(id);
  }

  /** Calls back when all that waits now is written, or never will be by this process; what is merged is not waited for. */
  afterAll(run: () => void): void {
    if (this.records.count === 0) {
      run();
      return;
    }
    const last = this.#taken + this.records.count - 1;
    const known = this.#awaited.get(last);
    if (known === undefined) this.#awaited.set(last, { followers: [run] });
    else known.followers.push(run);
  }

  /** How many of the first ones are next, at most so many. They stay until `done`. */
  next(count: number): number {
    if (this.records.count < this.#most && this.#merged.size > 0) {
      for (const record of this.#merged.takeAll(this.#newId)) this.records.add(record);
      this.#waitingIds = undefined;
    }
    return Math.min(count, this.records.count);
  }

  /** So many of the first ones are written, or never will be. */
  done(count: number): void {
    this.records.drop(count);
    this.#taken += count;
    for (const [at, { posted, followers }] of this.#awaited) {
      if (at >= this.#taken) return;
      this.#awaited.delete(at);
      for (const run of followers) run();
      if (posted === undefined) continue;
      this.#findWaiters.delete(posted.id);
      for (const waiter of posted.waiters) waiter.written();
    }
  }

  /** Takes out all that is left, and answers those that nobody waits for. */
  giveUp(error: Error): readonly LedgerRecord[] {
    const awaited = [...this.#awaited.values()];
    const begun = this.#taken;
    const left = this.records
      .read(this.records.count)
      .filter((_, at) => this.#awaited.get(begun + at)?.posted === undefined);
    this.#awaited.clear();
    this.#findWaiters.clear();
    this.#taken += this.records.count;
    this.records.drop(this.records.count);
    for (const { posted, followers } of awaited) {
      for (const waiter of posted?.waiters ?? []) waiter.given(error);
      for (const run of followers) run();
    }
    return [...left, ...this.#merged.takeAll(this.#newId)];
  }

  #isMerged(id: string): boolean {
    return this.#mergedIds.size > 0 && this.#mergedIds.has(id);
  }

  /** A difference to an estimate that is not there as a row changes counters alone: the estimate stays. */
  #mergeable(record: LedgerRecord): LedgerRecord {
    const { id, at, charges, attempt } = record;
    return attempt === undefined || attempt.corrects === null ? record : { id, at, charges };
  }

  #remember(id: string): void {
    this.#mergedIds.add(id);
    if (this.#mergedIds.size <= maxIds) return;
    const [oldest = ''] = this.#mergedIds;
    this.#mergedIds.delete(oldest);
  }
}
