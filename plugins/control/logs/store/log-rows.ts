import { type RawBuilder, sql } from 'kysely';
import { withoutServiceKeys } from '../../../../schema/without-service-keys.ts';
import { insertRows } from '../../store/insert-rows.ts';
import { jsonRows } from '../../store/json-rows.ts';
import type { LogRow } from './log-columns.ts';
import { logColumns } from './log-columns.ts';
import type { LogStore, LogWriting } from './log-store.ts';

/** Tables of sums, whose rows are changed when more comes. */
type SumsTable = 'log_hours' | 'log_totals';

export interface InsertOptions<Name extends SumsTable> {
  readonly kind: LogStore['kind'];
  readonly rows: readonly LogRow<Name>[];
  /** What becomes of rows that are there. */
  readonly merge: RawBuilder<unknown>;
}

/** Adds rows to a table of sums, without the service keys that somebody has put into a text by mistake. */
export const mergeLogRows = async <Name extends SumsTable>(
  writing: LogWriting,
  table: Name,
  options: InsertOptions<Name>,
): Promise<void> => {
  await insertRows(writing, table, { ...options, columns: logColumns[table], clean: withoutServiceKeys });
};

/** Some columns of a table of the log. */
type Columns<Name extends SumsTable> = readonly (keyof (typeof logColumns)[Name] & string)[];

export interface DeleteOptions<Name extends SumsTable> {
  readonly kind: LogStore['kind'];
  readonly rows: readonly object[];
  readonly columns: Columns<Name>;
}

/** Deletes the rows that have the same values in some columns. */
export const deleteLogRows = async <Name extends SumsTable>(
  writing: LogWriting,
  table: Name,
  { kind, rows, columns: names }: DeleteOptions<Name>,
): Promise<void> => {
  if (rows.length === 0) return;
  const key = sql.join(names.map((name) => sql.ref(name)));
  const given = jsonRows({ kind, columns: logColumns[table], names, rows });
  await sql`delete from ${sql.table(table)} where (${key}) in (select ${key} from ${given})`.execute(writing);
};
