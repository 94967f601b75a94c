import type { LedgerRecord } from './ledger-record.ts';
import { MergedRecords } from './merged-records.ts';
import { type NumberedName, readRecord, type WaitingText } from './waiting-text.ts';

/** Settles the promise of who waits for a record to be written. */
export interface Waiter {
  written(): void;
  /** It will not be written by this process. */
  given(error: Error): void;
}

/** What waits for the ledger. */
export interface Waiting {
  readonly id: string;
  /** Its record as a text, in UTF-8. */
  readonly text: Buffer;
  /** What the text refers to. */
  readonly names: readonly NumberedName[];
  /** The id of what it corrects, if it is a correction. */
  readonly corrects?: string | undefined;
}

/** The record of what waits. */
export const waitingRecord = ({ text, names }: Pick<Waiting, 'text' | 'names'>): LedgerRecord =>
  readRecord(text.toString(), new Map(names.map(({ number, is }) => [number, is])));

export interface PostingQueueOptions {
  readonly most: number;
  readonly newId: () => string;
  readonly write: (record: LedgerRecord) => WaitingText;
}

interface Queued extends Waiting {
  readonly waiters?: Waiter[];
  /** Called back when it is written, and all before it. */
  followers?: readonly (() => void)[];
}

/** How many ids of merged records are remembered, so that the same one is not counted again. */
const mostIds = 100_000;

/**
 * What is to be written, in its order. Beyond `most` it is merged, but for what somebody waits for. The ledger itself writes
 * an id once; what would be merged is compared with all that waits.
 */
export class PostingQueue {
  readonly #most: number;
  readonly #newId: () => string;
  readonly #write: PostingQueueOptions['write'];
  #waiting: Queued[] = [];
  readonly #awaited = new Map<string, Waiter[]>();
  /** How many have followers. */
  #followed = 0;
  readonly #merged: MergedRecords;
  readonly #mergedIds = new Set<string>();
  /** The ids of what waits, and perhaps of what is written meanwhile; absent while nothing is merged. */
  #waitingIds: Set<string> | undefined;

  constructor({ most, newId, write }: PostingQueueOptions) {
    this.#most = most;
    this.#newId = newId;
    this.#write = write;
    this.#merged = new MergedRecords(most);
  }

  get size(): number {
    return this.#waiting.length + this.#merged.size;
  }

  get isMerging(): boolean {
    return this.#merged.size > 0;
  }

  /** Whether somebody waits for any of it. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0 || this.#followed > 0;
  }

  /** False if there is no place for it: it is lost. */
  add(waiting: Waiting): boolean {
    const { id, corrects } = waiting;
    if (this.#isMerged(id)) return true;
    const isOfMerged = corrects !== undefined && this.#isMerged(corrects);
    if (this.#waiting.length < this.#most && this.#merged.size === 0 && !isOfMerged) {
      this.#waiting.push(waiting);
      return true;
    }
    this.#waitingIds ??= new Set(this.#waiting.map((each) => each.id));
    if (this.#waitingIds.has(id)) return true;
    const added = this.#merged.add(this.#mergeable(waitingRecord(waiting)));
    if (added) this.#remember(id);
    return added;
  }

  /** Adds one that is written before somebody goes on. */
  addAwaited(waiting: Waiting, waiter: Waiter): void {
    const known = this.#awaited.get(waiting.id);
    if (known !== undefined) {
      known.push(waiter);
      return;
    }
    const waiters = [waiter];
    this.#awaited.set(waiting.id, waiters);
    this.#waiting.push({ ...waiting, waiters });
    this.#waitingIds?.add(waiting.id);
  }

  /** Calls back when all that waits now is written, or never will be by this process; what is merged is not waited for. */
  afterAll(run: () => void): void {
    const last = this.#waiting.at(-1);
    if (last === undefined) {
      run();
      return;
    }
    if (last.followers === undefined) this.#followed += 1;
    last.followers = [...(last.followers ?? []), run];
  }

  /** The first ones, which stay until `done`. */
  next(count: number): readonly Waiting[] {
    if (this.#waiting.length < this.#most && this.#merged.size > 0) {
      for (const record of this.#merged.takeAll(this.#newId)) this.#waiting.push(this.#toWaiting(record));
      this.#waitingIds = undefined;
    }
    return this.#waiting.slice(0, count);
  }

  /** So many of the first ones are written, or never will be. */
  done(count: number): void {
    for (const { id, waiters, followers } of this.#waiting.splice(0, count)) {
      if (followers !== undefined) this.#followed -= 1;
      for (const run of followers ?? []) run();
      if (waiters === undefined) continue;
      this.#awaited.delete(id);
      for (const waiter of waiters) waiter.written();
    }
  }

  /** Takes out all that is left, and answers those that nobody waits for. */
  giveUp(error: Error): readonly Waiting[] {
    const all = this.#waiting;
    this.#waiting = [];
    this.#awaited.clear();
    this.#followed = 0;
    for (const { waiters = [], followers = [] } of all) {
      for (const waiter of waiters) waiter.given(error);
      for (const run of followers) run();
    }
    const merged = this.#merged.takeAll(this.#newId);
    return [...all.filter(({ waiters }) => waiters === undefined), ...merged.map((record) => this.#toWaiting(record))];
  }

  #isMerged(id: string): boolean {
    return this.#mergedIds.size > 0 && this.#mergedIds.has(id);
  }

  #toWaiting(record: LedgerRecord): Waiting {
    const { text, names } = this.#write(record);
    return { id: record.id, text: Buffer.from(text), names };
  }

  /** A difference to an estimate that is not there as a row changes counters alone: the estimate stays. */
  #mergeable(record: LedgerRecord): LedgerRecord {
    const { id, at, charges, attempt } = record;
    return attempt === undefined || attempt.corrects === null ? record : { id, at, charges };
  }

  #remember(id: string): void {
    this.#mergedIds.add(id);
    if (this.#mergedIds.size <= mostIds) return;
    const [oldest = ''] = this.#mergedIds;
    this.#mergedIds.delete(oldest);
  }
}
