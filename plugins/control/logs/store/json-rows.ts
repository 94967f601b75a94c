import { type RawBuilder, sql } from 'kysely';
import { withoutServiceKeys } from '../../../../schema/without-service-keys.ts';
import type { LogRow, LogTableName } from './log-columns.ts';
import { logColumns } from './log-columns.ts';
import type { LogStore, LogWriting } from './log-store.ts';

/** What JSON can say and PostgreSQL cannot keep: U+0000, and halves of surrogate pairs. */
const unkeepable = /\\u(?:0000|d[89a-f])/i;

const kept = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;

/** The JSON text of rows, as both databases can keep it, and without service keys. */
const textOf = (rows: readonly object[]): string => {
  const text = JSON.stringify(rows);
  return withoutServiceKeys(unkeepable.test(text) ? JSON.stringify(rows, kept) : text);
};

/** Some columns of a table of the log. */
type Columns<Name extends LogTableName> = readonly (keyof (typeof logColumns)[Name] & string)[];

interface GivenRows {
  readonly kind: LogStore['kind'];
  readonly columns: readonly string[];
  readonly rows: readonly object[];
}

/** A JSON text in the place of a table: any number of rows is one parameter of one statement, which never changes. */
const rowsOf = (table: LogTableName, { kind, columns, rows }: GivenRows): RawBuilder<unknown> => {
  const text = textOf(rows);
  if (kind === 'sqlite')
    return sql`(select ${sql.join(columns.map((column) => sql`value ->> ${sql.lit(`$.${column}`)} as ${sql.ref(column)}`))} from json_each(${text})) as given`;
  const types: Readonly<Record<string, string>> = logColumns[table];
  const typed = columns.map(
    (column) => sql`${sql.ref(column)} ${sql.raw(types[column]?.startsWith('integer') === true ? 'bigint' : 'text')}`,
  );
  return sql`json_to_recordset(cast(${text} as json)) as given(${sql.join(typed)})`;
};

export interface InsertOptions<Name extends LogTableName> {
  readonly kind: LogStore['kind'];
  readonly rows: readonly LogRow<Name>[];
  /** What becomes of rows that are there; they stay if absent. */
  readonly merge?: RawBuilder<unknown>;
}

/** Inserts rows into a table of the log. */
export const insertRows = async <Name extends LogTableName>(
  writing: LogWriting,
  table: Name,
  { kind, rows, merge = sql`do nothing` }: InsertOptions<Name>,
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.keys(logColumns[table]);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${rowsOf(table, { kind, columns, rows })} where true on conflict ${merge}`.execute(
    writing,
  );
};

export interface DeleteOptions<Name extends LogTableName> {
  readonly kind: LogStore['kind'];
  readonly rows: readonly object[];
  readonly columns: Columns<Name>;
}

/** Deletes the rows that have the same values in some columns. */
export const deleteRows = async <Name extends LogTableName>(
  writing: LogWriting,
  table: Name,
  { kind, rows, columns }: DeleteOptions<Name>,
): Promise<void> => {
  if (rows.length === 0) return;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`delete from ${sql.table(table)} where (${names}) in (select ${names} from ${rowsOf(table, { kind, columns, rows })})`.execute(
    writing,
  );
};
