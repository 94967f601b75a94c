import { type RawBuilder, sql } from 'kysely';
import { labelsOf } from '../record/labels-of.ts';
import type { LogRow, RecordRow } from '../store/log-columns.ts';
import type { LogStore } from '../store/log-store.ts';
import { firstIdOf } from '../writer/retention.ts';
import type { RecordFilter } from './record-filters.ts';

/** A part of the records, the newest first. */
export interface RecordPart {
  readonly limit: number;
  /** The id behind which it begins. */
  readonly after?: string;
}

/** A record with the JSON of what is wrong with the request, where something is. */
export type ListedRecord = RecordRow & { readonly problem?: string | null };

/** A record with what it says beside its columns, without its bodies. */
export type DetailedRecord = RecordRow & Pick<LogRow<'log_details'>, 'detail'>;

/** A record with all that it says. */
export type WholeRecord = DetailedRecord & Pick<LogRow<'log_details'>, 'bodies'>;

type LogReading = Pick<LogStore, 'db' | 'kind'>;

/** Records that older versions have written may have escapes in them that PostgreSQL reads as no text. */
const escapes = sql`'\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi'`;

const problemOf: { readonly [kind in LogStore['kind']]: RawBuilder<unknown> } = {
  sqlite: sql`detail.detail ->> '$.problem'`,
  postgres: sql`cast(regexp_replace(detail.detail, ${escapes}) as json) ->> 'problem'`,
};

const labelIs = (table: string, tenant: string, [name, value]: readonly [string, string]): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.workspace_id`)} = ${tenant} and ${sql.ref(`${table}.name`)} = ${name} and ${sql.ref(`${table}.value`)} = ${value}`;

/** Ids hold the time, so that a range of times is one of ids. */
const idConditions = (
  id: RawBuilder<unknown>,
  { min, max }: RecordFilter,
  after?: string,
): readonly RawBuilder<unknown>[] => [
  ...(after === undefined ? [] : [sql`${id} < ${after}`]),
  ...(min === undefined ? [] : [sql`${id} >= ${firstIdOf(Math.ceil(min))}`]),
  ...(max === undefined ? [] : [sql`${id} < ${firstIdOf(Math.ceil(max))}`]),
];

interface Asked extends RecordPart {
  readonly tenant: string;
  readonly filter: RecordFilter;
}

/**
 * The rows of records, read in the order of an index that begins with a condition and ends with the id. With labels, the first
 * of them leads: the words `cross join` keep SQLite from beginning with the other table.
 */
const selected = (columns: RawBuilder<unknown>, { tenant, filter, limit, after }: Asked): RawBuilder<unknown> => {
  // As they were cut when they were kept.
  const labels = filter.labels.flatMap(([name, value]) => Object.entries(labelsOf({ [name]: value })));
  const [first, ...others] = labels;
  const id = first === undefined ? sql.ref('record.id') : sql.ref('label.id');
  const from =
    first === undefined ? sql`log_records as record` : sql`log_labels as label cross join log_records as record`;
  const conditions = [
    sql`record.workspace_id = ${tenant}`,
    ...(first === undefined ? [] : [labelIs('label', tenant, first), sql`record.id = label.id`]),
    ...others.map(
      (label) =>
        sql`exists (select 1 from log_labels as other where ${labelIs('other', tenant, label)} and other.id = record.id)`,
    ),
    ...idConditions(id, filter, after),
    ...filter.comparisons.map(({ column, is, value }) => sql`${sql.ref(`record.${column}`)} ${sql.raw(is)} ${value}`),
  ];
  return sql`select ${columns} from ${from} where ${sql.join(conditions, sql` and `)} order by ${id} desc limit ${sql.lit(limit)}`;
};

/** The records of a workspace that a filter chooses, the newest first. */
export const listRecords = async ({ db, kind }: LogReading, asked: Asked): Promise<readonly ListedRecord[]> => {
  const chosen = selected(sql`record.*`, asked);
  const { rows } =
    await sql<ListedRecord>`select chosen.*, ${problemOf[kind]} as problem from (${chosen}) as chosen left join log_details as detail on detail.id = chosen.id order by chosen.id desc`.execute(
      db,
    );
  return rows;
};

/** The same with all that they say but bodies, which may be many megabytes of each. */
export const readRecords = async ({ db }: LogReading, asked: Asked): Promise<readonly DetailedRecord[]> => {
  const ids = selected(sql`record.*`, asked);
  const { rows } =
    await sql<DetailedRecord>`select chosen.*, detail.detail from (${ids}) as chosen left join log_details as detail on detail.id = chosen.id order by chosen.id desc`.execute(
      db,
    );
  return rows;
};

/** The record of a workspace with an id. */
export const findRecord = async ({ db }: LogReading, tenant: string, id: string): Promise<WholeRecord | undefined> =>
  db
    .selectFrom('log_records')
    .innerJoin('log_details', 'log_details.id', 'log_records.id')
    .selectAll('log_records')
    .select(['log_details.detail', 'log_details.bodies'])
    .where('log_records.workspace_id', '=', tenant)
    .where('log_records.id', '=', id)
    .executeTakeFirst();
