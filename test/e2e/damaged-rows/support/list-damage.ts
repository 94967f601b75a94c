import type { DatabaseSync } from 'node:sqlite';

/** A column of one organisation's rows, with a value that no gateway writes. */
export interface Damage {
  readonly table: string;
  readonly column: string;
  /** The value as an SQL expression. */
  readonly value: string;
}

/** The columns that can name the owner of a row, in the order in which they are searched. */
const owners = ['workspace_id', 'organisation_id', 'tenant'] as const;

/** The tables whose rows are owners. */
const owning: ReadonlySet<string> = new Set(['organisations', 'workspaces']);

const otherJson = ["'{'", "'[]'", "'{}'", "'null'", "'5'", "'[null]'"];
const otherNumbers = ['-1', "'x'", '1e300'];
const otherTexts = ["''", "'x'", "'{}'", "x'ff'"];

const valuesFor = (present: unknown): readonly string[] => {
  if (typeof present === 'number' || typeof present === 'bigint') return otherNumbers;
  return typeof present === 'string' && /^[[{"]/.test(present) ? otherJson : otherTexts;
};

const namesIn = (db: DatabaseSync, table: string): readonly string[] =>
  db
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));

/** A condition for the rows of a table that belong to an organisation and its workspace. Undefined if the rows have no owner. */
const ownRows = (db: DatabaseSync, table: string, ids: readonly string[]): string | undefined => {
  const columns = namesIn(db, table);
  const list = ids.map((id) => `'${id}'`).join(', ');
  if (owning.has(table)) return `id IN (${list})`;
  const found = owners.filter((owner) => columns.includes(owner));
  return found.length === 0 ? undefined : found.map((owner) => `${owner} IN (${list})`).join(' OR ');
};

/** Lists each column of each table in which these owners have a row, with the values that it should get. */
export const listDamage = (db: DatabaseSync, ids: readonly string[]): readonly Damage[] =>
  db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .flatMap(({ name }) => {
      const table = String(name);
      const own = ownRows(db, table, ids);
      if (own === undefined) return [];
      return namesIn(db, table).flatMap((column) => {
        const row = db.prepare(`SELECT ${column} AS value FROM ${table} WHERE ${own} ORDER BY ${column} IS NULL`).get();
        return row === undefined ? [] : valuesFor(row.value).map((value) => ({ table, column, value }));
      });
    });

/** Damages the rows of these owners, as far as the schema of the table allows. Returns whether it did. */
export const damage = (db: DatabaseSync, { table, column, value }: Damage, ids: readonly string[]): boolean => {
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    return db.prepare(`UPDATE ${table} SET ${column} = ${value} WHERE ${ownRows(db, table, ids)}`).run().changes > 0;
  } catch (error) {
    if (error instanceof Error && /constraint failed/.test(error.message)) return false;
    throw error;
  }
};
