import { sql } from 'kysely';
import { inChunks } from '../../../kernel/store/rows/in-chunks.ts';
import { rowInserter } from '../../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import { digest } from '../record/digest.ts';

/** A text that is wanted in a set which takes only so many different ones, as the values of a label on a day. */
export interface Wanted {
  /** Stands for the text in its set. */
  readonly id: string;
  readonly set: string;
  /** Milliseconds since the epoch: when the day began after which the set may be forgotten. */
  readonly day: number;
}

export const wantedText = (set: string, text: string, day: number): Wanted => ({ id: digest([set, text]), set, day });

const insertValues = rowInserter('label_values', { columns: { id: 'text', day: 'integer' } });
const insertCounts = rowInserter('label_counts', {
  columns: { id: 'text', day: 'integer', different: 'integer' },
  merge: () => sql`(id) do update set different = excluded.different`,
});

const known = async (writing: Writing, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await inChunks(ids, (chunk) =>
    writing.selectFrom('label_values').select('id').where('id', 'in', chunk).execute(),
  );
  return new Set(rows.map(({ id }) => id));
};

const readCounts = async (writing: Writing, sets: readonly string[]): Promise<Map<string, number>> => {
  const rows = await inChunks(sets, (chunk) =>
    writing.selectFrom('label_counts').select(['id', 'different']).where('id', 'in', chunk).execute(),
  );
  return new Map(rows.map(({ id, different }) => [id, different]));
};

export interface AdmitOptions {
  readonly kind: Store['kind'];
  /** How many different texts a set has at most. */
  readonly most: number;
  /** Ids of texts that are in, and need not be asked for. */
  readonly before: ReadonlySet<string>;
}

/** Takes texts into their sets in their order, and answers the ids of those that are in and were not known before. */
export const admitTexts = async (
  writing: Writing,
  all: Iterable<Wanted>,
  { kind, most, before }: AdmitOptions,
): Promise<ReadonlySet<string>> => {
  const wanted = new Map<string, Wanted>();
  for (const each of all) if (!before.has(each.id)) wanted.set(each.id, each);
  if (wanted.size === 0) return new Set();
  const admitted = await known(writing, [...wanted.keys()]);
  const unknown = [...wanted.values()].filter(({ id }) => !admitted.has(id));
  if (unknown.length === 0) return admitted;
  const days = new Map(unknown.map(({ set, day }) => [set, day]));
  const counts = await readCounts(writing, [...days.keys()]);
  const taken = unknown.filter(({ set }) => {
    const count = counts.get(set) ?? 0;
    if (count < most) counts.set(set, count + 1);
    return count < most;
  });
  await insertValues(
    writing,
    kind,
    taken.map(({ id, day }) => [id, day]),
  );
  const changed = [...new Set(taken.map(({ set }) => set))];
  await insertCounts(
    writing,
    kind,
    changed.map((set) => [set, days.get(set) ?? 0, counts.get(set) ?? 0]),
  );
  for (const { id } of taken) admitted.add(id);
  return admitted;
};
