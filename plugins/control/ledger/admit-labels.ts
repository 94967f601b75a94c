import { sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';

/** A text that is wanted in a set which takes only so many different ones, as the values of a label on a day. */
export interface Wanted {
  readonly set: string;
  readonly text: string;
  /** Milliseconds since the epoch: when the day began after which the set may be forgotten. */
  readonly day: number;
}

/** Stands for a text in its set. */
export const wantedId = ({ set, text }: Wanted): string => digest([set, text]);

const known = async (writing: Writing, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await inChunks(ids, (chunk) =>
    writing.selectFrom('label_values').select('id').where('id', 'in', chunk).execute(),
  );
  return new Set(rows.map(({ id }) => id));
};

const countsOf = async (writing: Writing, sets: readonly string[]): Promise<Map<string, number>> => {
  const rows = await inChunks(sets, (chunk) =>
    writing.selectFrom('label_counts').select(['id', 'different']).where('id', 'in', chunk).execute(),
  );
  return new Map(rows.map(({ id, different }) => [id, different]));
};

/**
 * Takes texts into their sets, of which none has more than `most`, in their order. Answers by `wantedId` those that are in.
 */
export const admitTexts = async (
  writing: Writing,
  all: readonly Wanted[],
  most: number,
): Promise<ReadonlySet<string>> => {
  const wanted = new Map(all.map((each) => [wantedId(each), each]));
  const before = await known(writing, [...wanted.keys()]);
  const unknown = [...wanted].filter(([id]) => !before.has(id));
  if (unknown.length === 0) return before;
  const days = new Map(unknown.map(([, { set, day }]) => [set, day]));
  const counts = await countsOf(writing, [...days.keys()]);
  const taken = unknown.filter(([, { set }]) => {
    const count = counts.get(set) ?? 0;
    if (count < most) counts.set(set, count + 1);
    return count < most;
  });
  await inChunks(taken, (chunk) =>
    writing
      .insertInto('label_values')
      .values(chunk.map(([id, { day }]) => ({ id, day })))
      .execute(),
  );
  const changed = [...new Set(taken.map(([, { set }]) => set))];
  await inChunks(changed, (chunk) =>
    writing
      .insertInto('label_counts')
      .values(chunk.map((id) => ({ id, day: days.get(id) ?? 0, different: counts.get(id) ?? 0 })))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ different: sql<number>`${sql.ref('excluded.different')}` }),
      )
      .execute(),
  );
  return new Set([...before, ...taken.map(([id]) => id)]);
};
