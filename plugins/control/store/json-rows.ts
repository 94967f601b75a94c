import { type RawBuilder, sql } from 'kysely';
import { keptText } from './kept-text.ts';
import type { ColumnType } from './migrations/create-tables.ts';
import { unkeepable } from './storable.ts';
import type { Store } from './store.ts';

const kept = (_: string, value: unknown): unknown => (typeof value === 'string' ? keptText(value) : value);

/** The JSON of rows as both databases keep it. */
const textOf = (rows: readonly object[]): string => {
  const text = JSON.stringify(rows);
  return unkeepable.test(text) ? JSON.stringify(rows, kept) : text;
};

export interface JsonRowsOptions {
  readonly kind: Store['kind'];
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Those that are wanted. */
  readonly names: readonly string[];
  readonly rows: readonly object[];
  /** What becomes of their JSON. */
  readonly clean?: (text: string) => string;
}

/** A JSON text in the place of a table: any number of rows is one parameter of one statement, which never changes. */
export const jsonRows = ({ kind, columns, names, rows, clean }: JsonRowsOptions): RawBuilder<unknown> => {
  const text = clean === undefined ? textOf(rows) : clean(textOf(rows));
  if (kind === 'sqlite')
    return sql`(select ${sql.join(names.map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`))} from json_each(${text})) as given`;
  const typed = names.map(
    (name) => sql`${sql.ref(name)} ${sql.raw(columns[name]?.startsWith('integer') === true ? 'bigint' : 'text')}`,
  );
  return sql`json_to_recordset(cast(${text} as json)) as given(${sql.join(typed)})`;
};
