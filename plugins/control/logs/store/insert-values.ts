import { CompiledQuery, type Expression, sql } from 'kysely';
import { type LogTables, logColumns } from './log-columns.ts';
import type { LogStore, LogWriting } from './log-store.ts';

/** A value of a column. */
export type LogValue = string | number | Uint8Array | null;

type ValuesTable = Extract<
  keyof LogTables,
  'log_rows' | 'log_moved' | 'log_facts' | 'log_label_sets' | 'log_label_pairs' | 'log_blocks' | 'log_bodies'
>;

const arrayTypes: Readonly<Record<string, string>> = { integer: 'bigint[]', text: 'text[]', bytes: 'bytea[]' };

/** So many values are one statement of SQLite: more of them take no less time. */
const valuesOfGroup = 300;

const listOf = (count: number, item: string): string => Array.from({ length: count }, () => item).join(', ');

/** Runs one statement for each group of rows, all of which have as many. */
const intoSqlite = async (
  writing: LogWriting,
  into: string,
  { rows, size }: { readonly rows: readonly (readonly LogValue[])[]; readonly size: number },
): Promise<void> => {
  const [first] = rows;
  if (first === undefined) return;
  const text = `insert into ${into} values ${listOf(size, `(${listOf(first.length, '?')})`)}`;
  const groups: (readonly LogValue[])[] = [];
  for (let at = 0; at < rows.length; at += size) groups.push(rows.slice(at, at + size).flat());
  await writing.executeQuery(CompiledQuery.raw(text, groups));
};

/**
 * Inserts rows, each as the list of its values in the order of the columns, none of which may be there. SQLite takes groups
 * of rows, and then the others one by one; PostgreSQL takes each column as an array.
 */
export const insertValues = async (
  writing: LogWriting,
  table: ValuesTable,
  { kind, rows }: { readonly kind: LogStore['kind']; readonly rows: readonly (readonly LogValue[])[] },
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.entries(logColumns[table]);
  const names = columns.map(([name]) => name);
  if (kind === 'sqlite') {
    const into = `${table} (${names.join(', ')})`;
    const size = Math.floor(valuesOfGroup / names.length);
    const grouped = rows.length - (rows.length % size);
    await intoSqlite(writing, into, { rows: rows.slice(0, grouped), size });
    await intoSqlite(writing, into, { rows: rows.slice(grouped), size: 1 });
    return;
  }
  const arrays = columns.map(([, type], at): Expression<unknown> => {
    const values = rows.map((row) => row[at]);
    return sql`cast(${values} as ${sql.raw(arrayTypes[type.replace('?', '')] ?? 'text[]')})`;
  });
  const into = sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`;
  await sql`insert into ${into} select * from unnest(${sql.join(arrays)})`.execute(writing);
};
