import { type Kysely, sql } from 'kysely';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { jsonRows } from '../../kernel/store/rows/storable.ts';
import type { LogTables, RecordRow } from './log-columns.ts';
import { type LogStore, type LogWriting, listedTexts } from './log-store.ts';

/** A record as an earlier version has written it. */
export type RecordBefore = Omit<RecordRow, 'has_problem'> & {
  readonly detail: string;
  readonly bodies: string | null;
};

interface IdOfRecord {
  readonly id: string;
  readonly workspace_id: string;
}

/** The number of records that are taken at once. */
const stepRecords = 250;

/** The tables of the version before this one, while there are records in them. */
const tables = ['log_records_before', 'log_details_before', 'log_labels_before'] as const;

/** Looks for what an earlier version has written. */
export const hasRecordsBefore = async (db: Kysely<LogTables>, kind: LogStore['kind']): Promise<boolean> => {
  const found =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'log_details_before'`
      : sql`select 1 where to_regclass('log_details_before') is not null`;
  return (await found.execute(db)).rows.length > 0;
};

const readRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  ids: readonly IdOfRecord[],
): Promise<readonly RecordBefore[]> => {
  const workspaces = [...new Set(ids.map(({ workspace_id }) => workspace_id))];
  const wanted = ids.map(({ id }) => id);
  const { rows } = await sql<RecordBefore>`select record.*, detail.detail, detail.bodies
    from log_records_before as record join log_details_before as detail on detail.id = record.id
    where record.workspace_id in ${listedTexts(kind, workspaces)} and record.id in ${listedTexts(kind, wanted)}
    order by record.id`.execute(writing);
  return rows;
};

const labelNames = ['workspace_id', 'name', 'value', 'id'];
const labelKey = sql.join(labelNames.map((name) => sql.ref(name)));

const deleteRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  records: readonly RecordBefore[],
): Promise<void> => {
  const labels = records.flatMap(({ workspace_id, id, metadata }) =>
    Object.entries(parseObject(metadata) ?? {}).map(([name, value]) => ({ workspace_id, name, value, id })),
  );
  const given = jsonRows(kind, labelNames, labels);
  await sql`delete from log_labels_before where (${labelKey}) in (select ${labelKey} from ${given})`.execute(writing);
  const workspaces = listedTexts(kind, [...new Set(records.map(({ workspace_id }) => workspace_id))]);
  const ids = listedTexts(
    kind,
    records.map(({ id }) => id),
  );
  await sql`delete from log_records_before where workspace_id in ${workspaces} and id in ${ids}`.execute(writing);
  await sql`delete from log_details_before where id in ${ids}`.execute(writing);
};

interface Taken {
  /** The newest of all are taken, or the oldest. */
  readonly first: 'newest' | 'oldest';
  /** Only those before this id. */
  readonly before?: string | undefined;
  /** Chooses some of those that were found; all if absent. */
  readonly choose?: (records: readonly RecordBefore[]) => readonly RecordBefore[];
}

/** Takes some of them out of their tables, in the order of their ids. */
export const takeRecordsBefore = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { first, before, choose = (records) => records }: Taken,
): Promise<readonly RecordBefore[]> => {
  const only = before === undefined ? sql`` : sql`where id < ${before}`;
  const order = first === 'newest' ? sql`desc` : sql`asc`;
  const { rows: ids } = await sql<IdOfRecord>`select id, workspace_id from log_details_before ${only}
    order by id ${order} limit ${sql.lit(stepRecords)}`.execute(writing);
  if (ids.length === 0) return [];
  const records = choose(await readRecords(writing, kind, ids));
  await deleteRecords(writing, kind, records);
  return records;
};

/** Deletes their tables, once nothing is in them. */
export const dropTablesBefore = async (writing: LogWriting): Promise<void> => {
  for (const table of tables) await sql`drop table if exists ${sql.table(table)}`.execute(writing);
};
