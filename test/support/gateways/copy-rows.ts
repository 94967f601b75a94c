import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The SQL of a column of the `n`th copy. Ids of copies are newer than that of the original, whose last 12 digits they replace. */
const copied = (column: string): string => {
  if (column === 'id') return `substr(id, 1, 24) || printf('ffff%08x', n)`;
  return ['slug', 'hash', 'name'].includes(column) ? `"${column}" || '-' || n` : `"${column}"`;
};

/**
 * Copies the newest row of a table in `gateway.db`, or the one with the given name, `count` times with different names. No
 * gateway may have the file open.
 */
export const copyRows = (folder: string, table: string, count: number, name?: string): void => {
  const db = new DatabaseSync(path.join(folder, 'gateway.db'));
  const names = db
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));
  const chosen = name === undefined ? '' : `where name = '${name}'`;
  db.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
    select ${names.map(copied).join(', ')} from numbers, (select * from "${table}" ${chosen} order by id desc limit 1)`);
  db.close();
};
