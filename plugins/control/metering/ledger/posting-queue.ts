import { startOfHour } from '../../../../schema/durations.ts';
import {
  countedColumns,
  type Facts,
  type LedgerRecord,
  type RecordedAttempt,
  type RecordedCharge,
} from './ledger-record.ts';
import { WaitingRecords } from './waiting-records.ts';

interface Group {
  readonly at: number;
  attempt: RecordedAttempt | undefined;
  readonly charges: Map<string, RecordedCharge>;
}

const withoutLabels = (facts: Facts): Facts => ({ ...facts, prompt: null, metadata: '{}' });

/** Returns the key of what the attempts of a group have in common. */
const toKey = (attempt: RecordedAttempt | undefined): string =>
  attempt === undefined ? '' : JSON.stringify([startOfHour(attempt.at), attempt.nano_usd === null, attempt.facts]);

const addAttempts = (to: RecordedAttempt, attempt: RecordedAttempt): RecordedAttempt => ({
  ...to,
  ...Object.fromEntries(countedColumns.map((column) => [column, to[column] + attempt[column]])),
  nano_usd: to.nano_usd === null ? null : to.nano_usd + (attempt.nano_usd ?? 0),
});

/** The maximum sum of a group. Attempts have at most 1e12 of anything, so that no sum exceeds the safe integers. */
const largestSum = 1e15;

const isFull = ({ attempt, charges }: Group): boolean =>
  [...charges.values()]
    .map(({ amount }) => amount)
    .concat(attempt === undefined ? [] : [...countedColumns.map((column) => attempt[column]), attempt.nano_usd ?? 0])
    .some((sum) => Math.abs(sum) >= largestSum);

/**
 * Records that found no place in a queue, merged into fewer ones with the same sums: similar records of an hour become one, and
 * lose their ids and traces. In the last half of the groups that fit, they also lose their labels and prompts.
 */
class MergedRecords {
  readonly #max: number;
  readonly #groups = new Map<string, Group>();
  #charges = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Adds a record. Returns false if there is no room for it either. */
  add({ at, attempt, charges }: LedgerRecord): boolean {
    const key = toKey(attempt);
    if (this.#groups.has(key) || this.#groups.size < this.#max / 2) return this.#addTo(key, { at, attempt, charges });
    if (attempt === undefined) return this.#groups.size < this.#max && this.#addTo(key, { at, attempt, charges });
    const plain = { ...attempt, facts: withoutLabels(attempt.facts) };
    const plainKey = toKey(plain);
    const hasRoom = this.#groups.has(plainKey) || this.#groups.size < this.#max;
    return hasRoom && this.#addTo(plainKey, { at, attempt: plain, charges });
  }

  /** Removes and returns all of them. `newId` creates an id for each. */
  takeAll(newId: () => string): readonly LedgerRecord[] {
    const records = [...this.#groups.values()].map(({ at, attempt, charges }) => ({
      ...{ id: newId(), at, charges: [...charges.values()] },
      ...(attempt !== undefined && { attempt: { ...attempt, trace: '' } }),
    }));
    this.#groups.clear();
    this.#charges = 0;
    return records;
  }

  #addTo(
    key: string,
    { at, attempt, charges }: Pick<LedgerRecord, 'at' | 'charges'> & Pick<Group, 'attempt'>,
  ): boolean {
    const group = this.#groups.get(key) ?? { at, attempt: undefined, charges: new Map<string, RecordedCharge>() };
    const keys = charges.map(({ counter, window }) =>
      JSON.stringify([counter.policy, counter.bucket, counter.unit, window]),
    );
    const added = keys.filter((each) => !group.charges.has(each)).length;
    if (isFull(group) || this.#charges + added > 4 * this.#max) return false;
    this.#groups.set(key, group);
    this.#charges += added;
    if (attempt !== undefined)
      group.attempt = group.attempt === undefined ? attempt : addAttempts(group.attempt, attempt);
    for (const [place, charge] of charges.entries()) {
      const known = keys[place] ?? '';
      const amount = (group.charges.get(known)?.amount ?? 0) + charge.amount;
      group.charges.set(known, { ...charge, amount });
    }
    return true;
  }
}

/** Settles the promise of a caller that waits for a record to be written. */
export interface Waiter {
  written(): void;
  /** Called if this process will not write it. */
  given(error: Error): void;
}

/** A record that callers wait for. */
interface Awaited {
  /** Its id, if it was posted by a caller that waits for it; absent if callers wait for it only because it was the last one. */
  readonly id?: string;
  readonly waiters: Waiter[];
}

/** The maximum number of ids of merged records that are remembered, so that none is counted twice. */
const maxIds = 100_000;

/**
 * Holds the records that are waiting to be written, in their order. Beyond `max`, records are merged, unless a caller waits for
 * them. The ledger itself writes each id once; a record that would be merged is compared with all that are waiting.
 */
export class PostingQueue {
  readonly #max: number;
  readonly #newId: () => string;
  /** The waiting records that are not merged. */
  readonly records: WaitingRecords = new WaitingRecords();
  /** How many records were removed before the first of them. */
  #taken = 0;
  /** The records that callers wait for, in order, by how many were added before each. */
  readonly #awaited = new Map<number, Awaited>();
  readonly #findWaiters = new Map<string, Waiter[]>();
  readonly #merged: MergedRecords;
  readonly #mergedIds = new Set<string>();
  /** The ids of waiting records, and possibly of those being written; absent while nothing is merged. */
  #waitingIds: Set<string> | undefined;

  constructor(max: number, newId: () => string) {
    this.#max = max;
    this.#newId = newId;
    this.#merged = new MergedRecords(max);
  }

  get size(): number {
    return this.records.count + this.#merged.size;
  }

  get isMerging(): boolean {
    return this.#merged.size > 0;
  }

  /** Whether a caller waits for any record. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Adds a record. Returns false if there is no room for it, so that it is lost. */
  add(record: LedgerRecord): boolean {
    const { id, at, charges, attempt } = record;
    if (this.#isMerged(id)) return true;
    const corrects = attempt?.corrects ?? null;
    const isOfMerged = corrects !== null && this.#isMerged(corrects);
    if (this.records.count < this.#max && this.#merged.size === 0 && !isOfMerged) {
      this.records.add(record);
      return true;
    }
    this.#waitingIds ??= new Set(this.records.read(this.records.count).map((each) => each.id));
    if (this.#waitingIds.has(id)) return true;
    // The difference to an estimate that has no row changes only counters: the estimate stays.
    const added = this.#merged.add(corrects === null ? record : { id, at, charges });
    if (added) this.#remember(id);
    return added;
  }

  /** Adds a record that a caller waits for. */
  addAwaited(record: LedgerRecord, waiter: Waiter): void {
    const { id } = record;
    const known = this.#findWaiters.get(id);
    if (known !== undefined) {
      known.push(waiter);
      return;
    }
    const waiters = [waiter];
    this.#findWaiters.set(id, waiters);
    this.#awaited.set(this.#taken + this.records.count, { id, waiters });
    this.records.add(record);
    this.#waitingIds?.add(id);
  }

  /**
   * Calls `run` when everything waiting now is written, or will not be written by this process. Merged records are not included.
   */
  afterAll(run: () => void): void {
    if (this.records.count === 0) {
      run();
      return;
    }
    const last = this.#taken + this.records.count - 1;
    const awaited = this.#awaited.get(last) ?? { waiters: [] };
    awaited.waiters.push({ written: run, given: run });
    this.#awaited.set(last, awaited);
  }

  /** Returns how many of the first records are next, up to `count`. They stay until `done`. */
  next(count: number): number {
    if (this.records.count < this.#max && this.#merged.size > 0) {
      for (const record of this.#merged.takeAll(this.#newId)) this.records.add(record);
      this.#waitingIds = undefined;
    }
    return Math.min(count, this.records.count);
  }

  /** Removes this many of the first records, which are written, or will not be written by this process. */
  done(count: number): void {
    this.records.drop(count);
    this.#taken += count;
    for (const [at, { id, waiters }] of this.#awaited) {
      if (at >= this.#taken) return;
      this.#awaited.delete(at);
      if (id !== undefined) this.#findWaiters.delete(id);
      for (const waiter of waiters) waiter.written();
    }
  }

  /** Removes all records, and returns those that no caller waits for. */
  giveUp(error: Error): readonly LedgerRecord[] {
    const awaited = [...this.#awaited.values()];
    const begun = this.#taken;
    const left = this.records
      .read(this.records.count)
      .filter((_, at) => this.#awaited.get(begun + at)?.id === undefined);
    this.#awaited.clear();
    this.#findWaiters.clear();
    this.#taken += this.records.count;
    this.records.drop(this.records.count);
    for (const waiter of awaited.flatMap(({ waiters }) => waiters)) waiter.given(error);
    return [...left, ...this.#merged.takeAll(this.#newId)];
  }

  #isMerged(id: string): boolean {
    return this.#mergedIds.size > 0 && this.#mergedIds.has(id);
  }

  #remember(id: string): void {
    this.#mergedIds.add(id);
    if (this.#mergedIds.size <= maxIds) return;
    const [oldest = ''] = this.#mergedIds;
    this.#mergedIds.delete(oldest);
  }
}
