import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../store.ts';
import { storedText, unkeepable } from './storable.ts';

const kept = (_: string, value: unknown): unknown => (typeof value === 'string' ? storedText(value) : value);

/** Returns the JSON of rows, as both databases can store it. */
const toText = (rows: readonly object[]): string => {
  const text = JSON.stringify(rows);
  return unkeepable.test(text) ? JSON.stringify(rows, kept) : text;
};

/**
 * Reads a JSON text as a table with the given columns, all of them texts. Any number of rows is a single parameter of one
 * statement, which never changes.
 */
export const jsonRows = (
  kind: Store['kind'],
  names: readonly string[],
  rows: readonly object[],
): RawBuilder<unknown> => {
  const text = toText(rows);
  if (kind === 'sqlite')
    return sql`(select ${sql.join(names.map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`))} from json_each(${text})) as given`;
  const typed = names.map((name) => sql`${sql.ref(name)} text`);
  return sql`json_to_recordset(cast(${text} as json)) as given(${sql.join(typed)})`;
};
