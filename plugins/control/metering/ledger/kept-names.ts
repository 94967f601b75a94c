import { sql } from 'kysely';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import { rowInserter } from '../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import { nameColumns } from './ledger-columns.ts';
import type { Named } from './ledger-record.ts';
import { nameDigest, nameText } from './named-texts.ts';
import { ReadNames } from './waiting-records.ts';

/** A name that is in the ledger. */
interface CachedName {
  readonly number: number;
  /** The last day of a posting with it, in milliseconds since the epoch. */
  readonly day: number;
}

/** The maximum number of texts that are cached. All of them are then dropped together. */
const maxTexts = 20_000;

/**
 * Caches values in the ledger of a database, so that they need not be looked up again. It changes only with transactions that
 * have succeeded.
 */
export class LedgerCache {
  readonly read: ReadNames = new ReadNames();
  /** By the value that they name. */
  readonly names: Map<Named, CachedName> = new Map();
  /** The ids of texts that are in their sets. */
  readonly admitted: Set<string> = new Set();
  /** Whether no rows of an earlier version are left. */
  isEarlierGone = false;
  /** The first name at the last check. Names are deleted in the order of days and numbers. */
  #first: CachedName = { day: 0, number: 0 };

  /** Drops names that may have been deleted: those before the current first name, or all if there is none. */
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

const memories = new WeakMap<object, LedgerCache>();

/** Returns the cache of an open database. */
export const cacheOf = (database: object): LedgerCache => {
  const known = memories.get(database) ?? new LedgerCache();
  memories.set(database, known);
  return known;
};

interface Wanted {
  readonly text: string;
  readonly day: number;
}

const insertNames = rowInserter('ledger_names', {
  columns: nameColumns,
  // A name stays as long as there are postings of its last day, so every later use updates the day.
  merge: (kind) =>
    sql`(digest) do update set day = ${sql.raw(kind === 'sqlite' ? 'max' : 'greatest')}(ledger_names.day, excluded.day)`,
});

const knownNames = async (writing: Writing, digests: readonly string[]): Promise<Map<string, CachedName>> => {
  const rows = await inChunks(digests, (chunk) =>
    writing.selectFrom('ledger_names').select(['digest', 'number', 'day']).where('digest', 'in', chunk).execute(),
  );
  return new Map(rows.map(({ digest, ...known }) => [digest, known]));
};

/** Returns the first name, in the order in which names are deleted; undefined if there is none. */
export const firstName = (writing: Writing): Promise<CachedName | undefined> =>
  writing
    .selectFrom('ledger_names')
    .select(['number', 'day'])
    .orderBy('day')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();

/** Returns the names to store, by their digests. */
const wantedNames = (all: ReadonlyMap<Named, number>): ReadonlyMap<string, Wanted> => {
  const wanted = new Map<string, Wanted>();
  for (const [named, day] of all) {
    const digest = nameDigest(named);
    wanted.set(digest, { text: nameText(named), day: Math.max(day, wanted.get(digest)?.day ?? day) });
  }
  return wanted;
};

/** Stores the names that are missing, and returns all of them by their digests. */
const keepWanted = async (
  writing: Writing,
  kind: Store['kind'],
  wanted: ReadonlyMap<string, Wanted>,
): Promise<ReadonlyMap<string, CachedName>> => {
  const known = await knownNames(writing, [...wanted.keys()]);
  // In a fixed order, so that processes do not wait for each other.
  const news = [...wanted].filter(([digest, { day }]) => (known.get(digest)?.day ?? -1) < day).sort();
  if (news.length === 0) return known;
  await insertNames(
    writing,
    kind,
    news.map(([digest, { text, day }]) => [digest, day, text]),
  );
  const added = await knownNames(
    writing,
    news.map(([digest]) => digest),
  );
  return new Map([...known, ...added]);
};

/** Stores missing values as names. */
export class NameKeeper {
  readonly #writing: Writing;
  readonly #kind: Store['kind'];
  readonly #memory: LedgerCache;
  /** The names that were looked up. */
  readonly kept: Map<Named, CachedName> = new Map();

  constructor(writing: Writing, kind: Store['kind'], memory: LedgerCache) {
    this.#writing = writing;
    this.#kind = kind;
    this.#memory = memory;
  }

  /** @param all the last day of a posting with each value, by value */
  async keep(all: ReadonlyMap<Named, number>): Promise<void> {
    const unknown = new Map<Named, number>();
    for (const [named, day] of all) {
      const known = this.kept.get(named) ?? this.#memory.names.get(named);
      if (known !== undefined && known.day >= day) this.kept.set(named, known);
      else unknown.set(named, day);
    }
    if (unknown.size === 0) return;
    const known = await keepWanted(this.#writing, this.#kind, wantedNames(unknown));
    for (const named of unknown.keys()) {
      const name = known.get(nameDigest(named));
      if (name !== undefined) this.kept.set(named, name);
    }
  }

  toNumber(named: Named): number {
    const number = this.kept.get(named)?.number;
    if (number === undefined) throw new TypeError('A name of the ledger was not kept.');
    return number;
  }
}
