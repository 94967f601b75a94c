import { sql } from 'kysely';
import { parseObject } from '../../../../schema/parse-json.ts';
import { addedUp, HourSums } from '../record/hour-rows.ts';
import type { NewRecord } from '../record/to-record.ts';
import type { LogRow, RecordRow } from '../store/log-columns.ts';
import { insertLogRows } from '../store/log-rows.ts';
import type { LogStore, LogWriting } from '../store/log-store.ts';

const hourKey = ['workspace_id', 'hour', 'key_id', 'config', 'prompt', 'provider', 'model', 'status'] as const;

const mergeHours = sql`(${sql.join(hourKey.map((name) => sql.ref(name)))}) do update set ${sql.join([
  ...addedUp.map((name) => sql`${sql.ref(name)} = ${sql.ref(`log_hours.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  sql`most_micros = case when excluded.most_micros > log_hours.most_micros then excluded.most_micros else log_hours.most_micros end`,
])}`;

const mergeTotals = sql`(name) do update set value = log_totals.value + excluded.value`;

/** The rows by which a record is found by its labels. */
export const labelRows = ({
  workspace_id,
  id,
  metadata,
}: Pick<RecordRow, 'workspace_id' | 'id' | 'metadata'>): readonly LogRow<'log_labels'>[] =>
  Object.entries(parseObject(metadata) ?? {}).map(([name, value]) => ({
    workspace_id,
    name,
    value: String(value),
    id,
  }));

/** Adds to the bytes that all records take. */
export const addBytes = (writing: LogWriting, kind: LogStore['kind'], bytes: number): Promise<void> =>
  insertLogRows(writing, 'log_totals', { kind, rows: [{ name: 'bytes', value: bytes }], merge: mergeTotals });

const isThere = async (writing: LogWriting, { workspace_id, id }: RecordRow): Promise<boolean> => {
  const row = await writing
    .selectFrom('log_records')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * Inserts records, some at a time, the hours that they belong to, and what they take. The same records again are left out: a
 * database may have committed what it could not acknowledge.
 */
export const insertRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  parts: Iterable<readonly NewRecord[]>,
): Promise<void> => {
  const hours = new HourSums();
  let bytes = 0;
  for (const records of parts) {
    const rows = records.map(({ record }) => record);
    const [first] = rows;
    if (bytes === 0 && first !== undefined && (await isThere(writing, first))) return;
    await insertLogRows(writing, 'log_records', { kind, rows });
    await insertLogRows(writing, 'log_details', { kind, rows: records.map(({ detail }) => detail) });
    await insertLogRows(writing, 'log_labels', { kind, rows: rows.flatMap(labelRows) });
    for (const row of rows) {
      bytes += row.bytes;
      if (row.source === 'gateway') hours.add(row);
    }
  }
  await insertLogRows(writing, 'log_hours', { kind, rows: hours.rows(), merge: mergeHours });
  // Last, since every process changes this row.
  if (bytes > 0) await addBytes(writing, kind, bytes);
};

/** Writes records in one transaction of their own. */
export const writeRecords = (store: Pick<LogStore, 'kind' | 'write'>, records: readonly NewRecord[]): Promise<void> =>
  store.write((writing) => insertRecords(writing, store.kind, [records]));
