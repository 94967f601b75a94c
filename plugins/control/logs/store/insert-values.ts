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

const placeholders = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/**
 * Inserts rows, each as the list of its values in the order of the columns, none of which may be there. SQLite runs one
 * statement for each row, which costs it least, and PostgreSQL takes each column as an array.
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
    const text = `insert into ${table} (${names.join(', ')}) values (${placeholders(names.length)})`;
    await writing.executeQuery(CompiledQuery.raw(text, [...rows]));
    return;
  }
  const arrays = columns.map(([, type], at): Expression<unknown> => {
    const values = rows.map((row) => row[at]);
    return sql`cast(${values} as ${sql.raw(arrayTypes[type.replace('?', '')] ?? 'text[]')})`;
  });
  const into = sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`;
  await sql`insert into ${into} select * from unnest(${sql.join(arrays)})`.execute(writing);
};
