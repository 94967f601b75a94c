import type { Named } from '../record/ledger-record.ts';
import { ReadNames } from './ledger-work.ts';

/** A name that is in the ledger. */
export interface CachedName {
  readonly number: number;
  /** The last day of a posting with it, in milliseconds since the epoch. */
  readonly day: number;
}

/** So many texts are remembered, and then forgotten together. */
const maxTexts = 20_000;

/** What the ledger of a database has in it that need not be asked for again. It changes with transactions that have succeeded. */
export class CacheMemory {
  readonly read: ReadNames = new ReadNames();
  /** By what they name. */
  readonly names: Map<Named, CachedName> = new Map();
  /** The ids of texts that are in their sets. */
  readonly admitted: Set<string> = new Set();
  /** Whether nothing is left of what an earlier version has written. */
  isEarlierGone = false;
  /** The first name when it was last looked at, in the order of days and numbers, in which names are deleted. */
  #first: CachedName = { day: 0, number: 0 };

  /** Forgets names that may have been deleted, which are those before the one that is the first now; everything where there is none. */
  forgetBefore(first: CachedName | undefined): void {
    if (first === undefined) {
      this.names.clear();
      this.admitted.clear();
      this.isEarlierGone = false;
      return;
    }
    if (first.day === this.#first.day && first.number === this.#first.number) return;
    this.#first = first;
    for (const [named, { day, number }] of this.names)
      if (day < first.day || (day === first.day && number < first.number)) this.names.delete(named);
  }

  noteNames(kept: ReadonlyMap<Named, CachedName>): void {
    if (this.names.size + kept.size > maxTexts) this.names.clear();
    for (const [named, each] of kept) this.names.set(named, each);
  }

  noteAdmitted(ids: Iterable<string>): void {
    if (this.admitted.size > maxTexts) this.admitted.clear();
    for (const id of ids) this.admitted.add(id);
  }
}

const memories = new WeakMap<object, CacheMemory>();

/** What is remembered of a database that is open. */
export const toMemory = (database: object): CacheMemory => {
  const known = memories.get(database) ?? new CacheMemory();
  memories.set(database, known);
  return known;
};
