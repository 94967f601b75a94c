import { type RawBuilder, sql } from 'kysely';
import type { RowValues } from '../../../kernel/store/rows/row-inserter.ts';
import { type AddedSums, addSums, noSums, type Sums, summedColumns } from '../record/summed-columns.ts';

/** Rows of sums by their ids, with the values of the columns before the sums. */
export class SummedRows {
  readonly #rows = new Map<string, { readonly named: RowValues; readonly sums: AddedSums }>();

  /** Adds to the row that begins with these values, of which the first is its id. */
  add(id: string, named: RowValues, sums: Sums): void {
    const known = this.#rows.get(id);
    const row = known ?? { named, sums: noSums() };
    if (known === undefined) this.#rows.set(id, row);
    addSums(row.sums, sums);
  }

  values(): readonly RowValues[] {
    return [...this.#rows.values()].map(({ named, sums }) => [
      ...named,
      ...summedColumns.map((column) => sums[column]),
    ]);
  }
}

/** What becomes of a row of sums that is there already: it has its sums and the new ones together. */
export const addedTo = (table: 'usage_hours' | 'usage_labels'): RawBuilder<unknown> =>
  sql`(id) do update set ${sql.join(
    summedColumns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ),
  )}`;
