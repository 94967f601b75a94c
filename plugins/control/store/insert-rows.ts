import { type CompiledQuery, type QueryExecutorProvider, type QueryResult, type RawBuilder, sql } from 'kysely';
import { jsonRows } from './json-rows.ts';
import { keptText } from './kept-text.ts';
import type { ColumnType } from './migrations/create-tables.ts';
import type { Store } from './store.ts';

export interface InsertOptions {
  readonly kind: Store['kind'];
  /** All columns of the table that the rows have. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly rows: readonly object[];
  /** What becomes of rows that are there; they stay if absent. */
  readonly merge?: RawBuilder<unknown>;
  /** What becomes of texts before they are kept; applied to each of them, or to the JSON of all rows. */
  readonly clean?: (text: string) => string;
}

/** A transaction, of whichever tables. */
export interface Inserting extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

const asItIs = (text: string): string => text;

/**
 * Inserts any number of rows by a statement that never changes: SQLite runs it for each row, which costs it least, and
 * PostgreSQL takes the rows as one JSON text.
 */
export const insertRows = async (
  writing: Inserting,
  table: string,
  { kind, columns, rows, merge = sql`do nothing`, clean = asItIs }: InsertOptions,
): Promise<void> => {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const into = sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`;
  const rest = sql`on conflict ${merge}`;
  if (kind === 'postgres') {
    const given = jsonRows({ kind, columns, names, rows, clean });
    await sql`${into} select * from ${given} where true ${rest}`.execute(writing);
    return;
  }
  const one = sql`${into} values (${sql.join(names.map(() => sql.val(null)))}) ${rest}`.compile(writing);
  const kept = (value: unknown): unknown => (typeof value === 'string' ? keptText(clean(value)) : value);
  const parameters = rows.map((row) => names.map((name) => kept(Reflect.get(row, name))));
  await writing.executeQuery({ ...one, parameters });
};
