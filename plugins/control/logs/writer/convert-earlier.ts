import { type Kysely, sql } from 'kysely';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import type { Job } from '../../kernel/store/job.ts';
import { jsonRows } from '../../kernel/store/rows/json-rows.ts';
import { storableJson } from '../../kernel/store/rows/storable.ts';
import {
  type LogStore,
  type LogTables,
  type LogWriting,
  listedTexts,
  lockForWriting,
  type RecordRow,
} from './log-store.ts';
import { type NewRecord, recordBytes } from './to-record.ts';
import { addBytes, insertRecords } from './write-records.ts';

/** The tables of an earlier version. They are dropped when all of their records are converted. */
export const earlierTables: readonly string[] = ['log_records_before', 'log_details_before', 'log_labels_before'];

/** A record as an earlier version wrote it. */
type RecordBefore = Omit<RecordRow, 'has_problem'> & {
  readonly detail: string;
  readonly bodies: string | null;
};

/** The number of records that are converted at once. */
const stepRecords = 250;

/** Checks whether there are records of an earlier version. */
export const hasRecordsBefore = async (db: Kysely<LogTables>, kind: LogStore['kind']): Promise<boolean> => {
  const found =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'log_details_before'`
      : sql`select 1 where to_regclass('log_details_before') is not null`;
  return (await found.execute(db)).rows.length > 0;
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
  /** Whether the newest or the oldest records are taken. */
  readonly first: 'newest' | 'oldest';
  /** If present, only records before this id are taken. */
  readonly before?: string | undefined;
  /** Selects some of the records found; all if absent. */
  readonly choose?: (records: readonly RecordBefore[]) => readonly RecordBefore[];
}

/**
 * Reads some records of an earlier version. Deletes details that have no record, so that they do not hide the records behind
 * them.
 */
const readRecords = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { first, before }: Pick<Taken, 'first' | 'before'>,
): Promise<readonly RecordBefore[]> => {
  const only = before === undefined ? sql`` : sql`where id < ${before}`;
  const order = first === 'newest' ? sql`desc` : sql`asc`;
  for (;;) {
    const { rows } = await sql<RecordBefore & { readonly detail_id: string }>`
      select record.*, detail.id as detail_id, detail.detail, detail.bodies
      from (select * from log_details_before ${only} order by id ${order} limit ${sql.lit(stepRecords)}) as detail
        left join log_records_before as record on record.workspace_id = detail.workspace_id and record.id = detail.id
      order by detail.id`.execute(writing);
    const [records, others] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
    if (others.length > 0) {
      const ids = others.map((row) => row.detail_id);
      await sql`delete from log_details_before where id in ${listedTexts(kind, ids)}`.execute(writing);
    }
    if (others.length === 0 || records.length > 0) return records.map(({ detail_id: _id, ...record }) => record);
  }
};

/**
 * Removes some records of an earlier version from their tables, and returns them with their size; returns none if the tables are
 * gone.
 */
export const takeRecordsBefore = async (
  writing: LogWriting,
  kind: LogStore['kind'],
  { first, before, choose = (records) => records }: Taken,
): Promise<readonly RecordBefore[]> => {
  await lockForWriting(writing, kind);
  // Another process may have converted the last records meanwhile.
  if (!(await hasRecordsBefore(writing, kind))) return [];
  const rows = await readRecords(writing, kind, { first, before });
  const records = choose(rows);
  if (records.length === 0) return [];
  await deleteRecords(writing, kind, records);
  await addBytes(writing, kind, -records.reduce((sum, { bytes }) => sum + bytes, 0));
  return records;
};

const toNewRecord = ({ detail: text, bodies, ...row }: RecordBefore): NewRecord => {
  const detail = storableJson(text);
  return {
    record: {
      ...row,
      metadata: storableJson(row.metadata),
      has_problem: parseObject(detail)?.problem === undefined ? 0 : 1,
      bytes: recordBytes(bodies),
    },
    detail: { detail, bodies },
  };
};

/** Converts the newest records of an earlier version, a limited number at a time. Their hourly sums stay as they are. */
export const job: Job<LogTables> = async (writing, { kind }) => {
  const records = await takeRecordsBefore(writing, kind, { first: 'newest' });
  if (records.length > 0) await insertRecords(writing, [records.map(toNewRecord)], { kind, areNew: false });
  else for (const table of earlierTables) await sql`drop table if exists ${sql.table(table)}`.execute(writing);
};

const convertJob = ownModule('plugins/control/logs/writer/convert-earlier');

interface ConvertOptions {
  readonly store: LogStore;
  /** Notifies the operator, one line at a time. */
  readonly say: (text: string) => void;
  /** Pauses between two steps, so that others get their turn. Resolves to whether to continue. */
  readonly pause: () => Promise<boolean>;
}

/**
 * Converts the records of an earlier version, the newest first, in small steps. Each step completes or has no effect. Rejects
 * like the store.
 */
export const convertEarlier = async ({ store, say, pause }: ConvertOptions): Promise<void> => {
  const { db, kind } = store;
  if (!(await hasRecordsBefore(db, kind))) return;
  const { n } = await db
    .selectFrom(sql<{ id: string }>`log_details_before`.as('earlier'))
    .select((each) => each.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) > 0)
    say(
      `gw: The log has ${n} ${Number(n) === 1 ? 'record' : 'records'} of an earlier version. Such records are converted while requests are served, the newest first, and are shown as they are converted.\n`,
    );
  while (await hasRecordsBefore(db, kind)) {
    await store.perform(convertJob, new Uint8Array());
    if (!(await pause())) return;
  }
  if (Number(n) > 0) say('gw: The records of an earlier version are converted.\n');
};
