import { type CompiledQuery, type QueryExecutorProvider, type QueryResult, type RawBuilder, sql } from 'kysely';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import type { ColumnType } from '../migrations/migrate.ts';
import type { Store } from '../store.ts';
import { storedText } from './storable.ts';

/** Writes a list in PostgreSQL's array syntax: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
const arrayLiteral = (values: readonly (string | number | Uint8Array | null)[]): string => {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'string') text += `"${value.replace(/["\\]/g, '\\$&')}"`;
    // https://www.postgresql.org/docs/current/datatype-binary.html: the backslash is escaped as in a text.
    else text += typeof value === 'number' ? value : `"\\\\x${toBuffer(value).toString('hex')}"`;
  }
  return `${text}}`;
};

/** A value of a column. */
export type ColumnValue = string | number | Uint8Array | null;

/** Values in the order of the columns. Both databases can store all texts. */
export type RowValues = readonly ColumnValue[];

type Columns = Readonly<Record<string, ColumnType | 'bytes'>>;

/** A transaction, for any tables. */
export interface Inserting extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

export interface RowInserterOptions {
  /** The columns that rows have. */
  readonly columns: Columns;
  /** The treatment of rows that exist: they stay if absent; with `refuse`, none may exist. */
  readonly merge?: 'refuse' | ((kind: Store['kind']) => RawBuilder<unknown>);
}

/** Inserts rows, and returns how many were inserted or merged. */
export type RowInserter = (writing: Inserting, kind: Store['kind'], rows: readonly RowValues[]) => Promise<number>;

/** The number of values in one statement of SQLite. More are not faster, and many more take longer to prepare. */
const valuesOfGroup = 300;

/** Joins the values of several rows at a time. The number of rows is a multiple of `size`. */
const inGroups = (rows: readonly RowValues[], size: number): readonly RowValues[] => {
  const columns = rows[0]?.length ?? 0;
  const groups: RowValues[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const group = new Array<ColumnValue>(size * columns).fill(null);
    let at = 0;
    for (let row = from; row < from + size; row += 1)
      for (const value of rows[row] ?? []) {
        group[at] = value;
        at += 1;
      }
    groups.push(group);
  }
  return groups;
};

const arrayType = (type: ColumnType | 'bytes'): string => {
  if (type === 'bytes') return 'bytea[]';
  return type.startsWith('integer') ? 'bigint[]' : 'text[]';
};

/** Returns the values of a record in the order of columns. `clean` replaces characters that a database cannot store. */
export const toRowValues = (
  columns: Columns,
  record: object,
  clean: (text: string) => string = storedText,
): RowValues =>
  Object.keys(columns).map((name) => {
    const value = Reflect.get(record, name);
    return typeof value === 'string' ? clean(value) : value;
  });

/**
 * Creates a function that inserts many rows of one table with statements that are prepared once. SQLite takes groups of rows, and
 * then the others one by one; PostgreSQL takes an array of each column. If a row is refused, the rows before it stay until the
 * transaction rolls back: otherwise SQLite would write each page to a separate file before a statement changes it.
 * https://www.sqlite.org/tempfiles.html#statement_journal_files
 */
export const rowInserter = (
  table: string,
  { columns, merge = () => sql`do nothing` }: RowInserterOptions,
): RowInserter => {
  const names = Object.keys(columns);
  const types = Object.values(columns).map(arrayType);
  const groupSize = Math.max(1, Math.floor(valuesOfGroup / names.length));
  const made = new Map<string, CompiledQuery>();

  const toStatement = (
    writing: Inserting,
    kind: Store['kind'],
    { name, rows }: { readonly name: string; readonly rows: () => RawBuilder<unknown> },
  ): CompiledQuery => {
    const before = made.get(name);
    if (before !== undefined) return before;
    const insert = sql.raw(kind === 'sqlite' ? 'insert or fail' : 'insert');
    const into = sql`${insert} into ${sql.table(table)} (${sql.join(names.map((each) => sql.ref(each)))})`;
    const onConflict = merge === 'refuse' ? sql`` : sql`on conflict ${merge(kind)}`;
    const statement = sql`${into} ${rows()} ${onConflict}`.compile(writing);
    made.set(name, statement);
    return statement;
  };

  const run = async (writing: Inserting, statement: CompiledQuery, parameters: readonly unknown[]): Promise<number> =>
    Number((await writing.executeQuery({ ...statement, parameters })).numAffectedRows ?? 0);

  const intoSqlite = async (writing: Inserting, rows: readonly RowValues[], size: number): Promise<number> => {
    if (rows.length === 0) return 0;
    const one = sql`(${sql.join(names.map(() => sql.val(null)))})`;
    const statement = toStatement(writing, 'sqlite', {
      name: String(size),
      rows: () => sql`values ${sql.join(Array.from({ length: size }, () => one))}`,
    });
    return run(writing, statement, size === 1 ? rows : inGroups(rows, size));
  };

  const intoPostgres = (writing: Inserting, rows: readonly RowValues[]): Promise<number> => {
    const statement = toStatement(writing, 'postgres', {
      name: 'arrays',
      rows: () => sql`select * from unnest(${sql.join(types.map((type) => sql`cast(${null} as ${sql.raw(type)})`))})`,
    });
    return run(
      writing,
      statement,
      names.map((_, column) => arrayLiteral(rows.map((row) => row[column] ?? null))),
    );
  };

  return async (writing, kind, rows) => {
    if (rows.length === 0) return 0;
    if (kind === 'postgres') return intoPostgres(writing, rows);
    const grouped = rows.length - (rows.length % groupSize);
    const first = await intoSqlite(writing, rows.slice(0, grouped), groupSize);
    return first + (await intoSqlite(writing, rows.slice(grouped), 1));
  };
};
