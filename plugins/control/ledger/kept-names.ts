import { sql } from 'kysely';
import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import { nameColumns } from './ledger-columns.ts';

/** Texts that many postings have in common; null for what there is not. */
export type Name = readonly (string | null)[];

/** A name, and the day of a posting with it, in milliseconds since the epoch. */
export interface DatedName {
  readonly name: Name;
  readonly day: number;
}

const later = (one: DatedName | undefined, other: DatedName): DatedName =>
  one !== undefined && one.day > other.day ? one : other;

interface Known {
  readonly number: number;
  readonly day: number;
}

const knownNames = async (writing: Writing, digests: readonly string[]): Promise<Map<string, Known>> => {
  const rows = await inChunks(digests, (chunk) =>
    writing.selectFrom('ledger_names').select(['digest', 'number', 'day']).where('digest', 'in', chunk).execute(),
  );
  return new Map(rows.map(({ digest: of, ...known }) => [of, known]));
};

/** A name stays for as long as there are postings of its last day, so that whoever uses it later notes the day. */
const laterDay = sql`(digest) do update set day = max(ledger_names.day, excluded.day)`;
const laterDayOfPostgres = sql`(digest) do update set day = greatest(ledger_names.day, excluded.day)`;

/** By what a name is found among those that `keepNames` answers. */
export const nameKey = (name: Name): string => digest(name);

/** Keeps names that are not there yet, and answers the numbers of all by `nameKey`. */
export const keepNames = async (
  writing: Writing,
  kind: Store['kind'],
  all: readonly DatedName[],
): Promise<ReadonlyMap<string, number>> => {
  const wanted = new Map<string, DatedName>();
  for (const each of all) {
    const key = nameKey(each.name);
    wanted.set(key, later(wanted.get(key), each));
  }
  const digests = [...wanted.keys()].sort();
  const known = await knownNames(writing, digests);
  const news = digests.filter((key) => (known.get(key)?.day ?? -1) < (wanted.get(key)?.day ?? 0));
  if (news.length > 0) {
    const rows = news.map((key) => {
      const { name, day } = wanted.get(key) ?? { name: [], day: 0 };
      return { digest: key, day, name: JSON.stringify(name) };
    });
    const merge = kind === 'sqlite' ? laterDay : laterDayOfPostgres;
    await insertRows(writing, 'ledger_names', { kind, columns: nameColumns, rows, merge });
    for (const [key, each] of await knownNames(writing, news)) known.set(key, each);
  }
  return new Map([...known].map(([key, { number }]) => [key, number]));
};
