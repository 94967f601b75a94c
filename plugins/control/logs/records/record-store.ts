import { type RawBuilder, sql } from 'kysely';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { isUuid } from '../../../sdk/parameters/text-formats.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import { detailsOfBlock } from '../writer/detail-blocks.ts';
import { labelPair } from '../writer/kept-facts.ts';
import {
  type LogStore,
  type LogTables,
  listedIntegers,
  listedTexts,
  logColumns,
  type StoredRecord,
} from '../writer/log-store.ts';
import { findNumber, timeOfId, toFirstNumber, traceBytes, traceKey, tracePart } from '../writer/stored-id.ts';
import type { Comparison, RecordFilter } from './record-filters.ts';

type LogReading = Pick<LogStore, 'db' | 'kind'>;

/** The requested records, the newest first. */
export interface Asked {
  readonly tenant: string;
  readonly filter: RecordFilter;
  readonly limit: number;
  /** The id after which they begin. */
  readonly after?: string | undefined;
}

/**
 * How many of the newest records are read one by one before an index is used. If many records match, enough of them are among
 * these.
 */
const lookedThrough = 4000;

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...conditions], sql` and `);

const isOfFacts = ({ column }: Comparison): boolean => column in logColumns.log_facts;

const compared = (table: string, { column, is, value }: Comparison): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.${column}`)} ${sql.raw(is)} ${value}`;

/** Compares a column with some numbers. With a list, PostgreSQL knows that there are few, whatever its statistics say. */
const among = (
  kind: LogStore['kind'],
  column: RawBuilder<unknown>,
  numbers: RawBuilder<unknown>,
): RawBuilder<unknown> => (kind === 'sqlite' ? sql`${column} in ${numbers}` : sql`${column} = any (array${numbers})`);

/** Selects the numbers of a workspace's facts that match the filter. */
const toFacts = ({ tenant, filter }: Asked): RawBuilder<unknown> => {
  const given = filter.comparisons.filter(isOfFacts).map((comparison) => compared('facts', comparison));
  return sql`(select facts.number from log_facts as facts where ${all([sql`facts.workspace_id = ${tenant}`, ...given])})`;
};

/**
 * Selects the numbers of the label sets that have a label. The pair by which sets are found may belong to other labels too, so
 * the label itself is compared.
 */
const setsWith = (
  kind: LogStore['kind'],
  tenant: string,
  [name, value]: readonly [string, string],
): RawBuilder<unknown> => {
  const has = {
    sqlite: sql`select 1 from json_each(sets.metadata) as label where label.key = ${name} and label.value = ${value}`,
    postgres: sql`select 1 from json_each_text(cast(sets.metadata as json)) as label
      where label.key = ${name} and label.value = ${value}`,
  };
  return sql`(select sets.number from log_label_pairs as pairs join log_label_sets as sets on sets.number = pairs.labels
    where pairs.pair = ${labelPair(tenant, name, value)} and sets.workspace_id = ${tenant} and exists (${has[kind]}))`;
};

/** Selects the numbers of the records of a trace: in each part of the index of traces, by its key there. */
const numbersOfTrace = async ({ db, kind }: LogReading, trace: string): Promise<RawBuilder<unknown>> => {
  const { rows } = await sql<{ readonly first: number | null; readonly last: number | null }>`select
    (select min(number) from log_blocks) as first, (select max(number) from log_blocks) as last`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return sql`(select number from log_rows where 1 = 0)`;
  const [from, to] = [sql.lit(tracePart(first)), sql.lit(tracePart(last))];
  const parts =
    kind === 'sqlite'
      ? sql`(with recursive counted(part) as (select ${from} union all select part + 1 from counted where part < ${to}) select part from counted)`
      : sql`(select generate_series(cast(${from} as bigint), cast(${to} as bigint)) as part)`;
  const key = traceKey(0, trace);
  return sql`(select found.number from ${parts} as parts cross join log_rows as found
    where found.trace_key = parts.part * ${sql.lit(traceKey(1, trace) - key)} + ${sql.lit(key)} and found.trace = ${traceBytes(trace)})`;
};

/** A range of record numbers. Numbers contain the time, so a range of times is a range of numbers. */
interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

const readRange = async ({ db }: LogReading, { filter: { min, max }, after }: Asked): Promise<Range> => {
  const ends = [Number.MAX_SAFE_INTEGER];
  if (max !== undefined) ends.push(toFirstNumber(Math.ceil(max)));
  if (after !== undefined) ends.push((await findNumber(db, after)) ?? toFirstNumber(timeOfId(after)));
  return { from: min === undefined ? 0 : toFirstNumber(Math.ceil(min)), to: Math.min(...ends) };
};

const within = ({ from, to }: Range): RawBuilder<unknown> => sql`line.number >= ${from} and line.number < ${to}`;

/** Finds the last number of the newest records that are read one by one; undefined if these are all records. */
const endOfNewest = async ({ db }: LogReading, { from, to }: Range): Promise<number | undefined> => {
  const row = await db
    .selectFrom('log_rows')
    .select('number')
    .where('number', '>=', from)
    .where('number', '<', to)
    .orderBy('number', 'desc')
    .offset(lookedThrough)
    .limit(1)
    .executeTakeFirst();
  return row?.number;
};

interface SelectOptions {
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly limit: number;
  /** The index to use. Otherwise the databases prefer to read all records in the requested order, which is slow if few match. */
  readonly index?: 'log_rows_by_facts' | 'log_rows_by_labels';
}

const selectNumbers = async (
  { db, kind }: LogReading,
  { conditions, limit, index }: SelectOptions,
): Promise<readonly number[]> => {
  const indexed = index !== undefined && kind === 'sqlite' ? sql`indexed by ${sql.ref(index)}` : sql``;
  const order = index === undefined ? sql`line.number` : sql`line.number + 0`;
  const { rows } = await sql<{ readonly number: number }>`select line.number from log_rows as line ${indexed}
    where ${all(conditions)} order by ${order} desc limit ${limit}`.execute(db);
  return rows.map(({ number }) => number);
};

/**
 * Finds the numbers of a workspace's records that a filter matches, the newest first. It first searches the newest records of all
 * workspaces. If these are not enough, an index finds the others: that of traces, of labels, or of facts.
 */
const chosenNumbers = async (reading: LogReading, asked: Asked): Promise<readonly number[]> => {
  const { kind } = reading;
  const { tenant, filter, limit } = asked;
  const { labels } = filter;
  const [trace, ...traces] = filter.comparisons.filter(({ column }) => column === 'trace_id');
  const others = filter.comparisons.filter((comparison) => !isOfFacts(comparison) && comparison.column !== 'trace_id');
  const ofFacts = (column: RawBuilder<unknown>): RawBuilder<unknown> => among(kind, column, toFacts(asked));
  // No index contains a sum. Otherwise PostgreSQL would also read the index of all records of the workspace, beside the one that
  // finds few.
  const withoutIndex = ofFacts(sql`line.facts + 0`);
  const beside = [
    ...labels.map((label) => among(kind, sql.ref('line.labels'), setsWith(kind, tenant, label))),
    ...traces.map(({ value }) => sql`line.trace = ${traceBytes(String(value))}`),
    ...others.map((comparison) => compared('line', comparison)),
  ];
  const range = await readRange(reading, asked);
  if (trace !== undefined) {
    const ofTrace = among(kind, sql.ref('line.number'), await numbersOfTrace(reading, String(trace.value)));
    return selectNumbers(reading, { conditions: [ofTrace, within(range), withoutIndex, ...beside], limit });
  }
  const end = await endOfNewest(reading, range);
  const newest = within(end === undefined ? range : { ...range, from: end + 1 });
  const first = await selectNumbers(reading, { conditions: [newest, withoutIndex, ...beside], limit });
  if (end === undefined || first.length >= limit) return first;
  const isByLabel = labels.length > 0;
  const indexed = isByLabel ? withoutIndex : ofFacts(sql.ref('line.facts'));
  const rest = await selectNumbers(reading, {
    conditions: [within({ from: range.from, to: end + 1 }), indexed, ...beside],
    index: isByLabel ? 'log_rows_by_labels' : 'log_rows_by_facts',
    limit: limit - first.length,
  });
  return [...first, ...rest];
};

/** A record with the JSON of its problem, if it has one. */
export type ListedRecord = StoredRecord & { readonly problem?: string | null };

/** A record with its detail, without its bodies. */
export type DetailedRecord = StoredRecord & { readonly detail: string };

/** A whole record. */
export type WholeRecord = DetailedRecord & { readonly bodies: string | null };

type ViewedRecord = LogTables['log_records'];

/** Reads the records with some numbers, the newest first. */
const recordsWith = async ({ db, kind }: LogReading, numbers: readonly number[]): Promise<readonly ViewedRecord[]> => {
  const { rows } = await sql<ViewedRecord>`select * from log_records
    where number in ${listedIntegers(kind, numbers)} order by number desc`.execute(db);
  return rows.map((row) => ({ ...row, created_at: timeOfId(row.id) }));
};

/** Reads the details of records, by their numbers. */
const readDetails = async (
  { db, kind }: LogReading,
  records: readonly ViewedRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const places = new Map<number, Set<number>>();
  for (const { block, place } of records) places.set(block, (places.get(block) ?? new Set()).add(place));
  const { rows } = await sql<{ readonly number: number; readonly data: Uint8Array }>`select number, data from log_blocks
    where number in ${listedIntegers(kind, [...places.keys()])}`.execute(db);
  const blocks = new Map<number, ReadonlyMap<number, string>>();
  for (const { number, data } of rows) {
    // Lets requests be served between two blocks.
    if (blocks.size > 0) await new Promise((resolve) => void setImmediate(resolve));
    blocks.set(number, detailsOfBlock(data, places.get(number) ?? new Set()));
  }
  return new Map(records.map(({ number, block, place }) => [number, blocks.get(block)?.get(place) ?? '{}']));
};

const toProblem = (detail: string): string | null => {
  const { problem } = parseObject(detail) ?? {};
  return problem === undefined ? null : JSON.stringify(problem);
};

const withProblems = async <Record extends ViewedRecord>(
  reading: LogReading,
  records: readonly Record[],
): Promise<readonly (Record & ListedRecord)[]> => {
  const details = await readDetails(
    reading,
    records.filter(({ has_problem }) => has_problem === 1),
  );
  return records.map((record) => ({ ...record, problem: toProblem(details.get(record.number) ?? '{}') }));
};

/** Lists the records of a workspace that a filter matches, the newest first. */
export const listRecords = async (reading: LogReading, asked: Asked): Promise<readonly ListedRecord[]> =>
  withProblems(reading, await recordsWith(reading, await chosenNumbers(reading, asked)));

/** The requested records of a block. */
interface AskedBlock {
  readonly block: number;
  /** The first place; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** The numbers of its first and last record. */
  readonly first: number;
  readonly last: number;
  readonly tenants: readonly string[];
}

/** Lists the records of a block in the order of their places. */
export const listBlock = async (
  reading: LogReading,
  { block, from, to, first, last, tenants }: AskedBlock,
): Promise<readonly (ListedRecord & Pick<ViewedRecord, 'number' | 'place'>)[]> => {
  const { db, kind } = reading;
  const { rows } = await sql<ViewedRecord>`select * from log_records
    where number >= ${first} and number <= ${last} and block = ${block} and place >= ${from} and place < ${to}
      and workspace_id in ${listedTexts(kind, tenants)} order by place`.execute(db);
  return withProblems(
    reading,
    rows.map((row) => ({ ...row, created_at: timeOfId(row.id) })),
  );
};

/** Lists the same records with all their members but bodies, each of which may be many megabytes. */
export const readRecords = async (reading: LogReading, asked: Asked): Promise<readonly DetailedRecord[]> => {
  const records = await recordsWith(reading, await chosenNumbers(reading, asked));
  const details = await readDetails(reading, records);
  return records.map((record) => ({ ...record, detail: details.get(record.number) ?? '{}' }));
};

/** Finds a record of a workspace by its id. */
export const findRecord = async (reading: LogReading, tenant: string, id: string): Promise<WholeRecord | undefined> => {
  const number = await findNumber(reading.db, id);
  if (number === undefined) return undefined;
  const [record] = await recordsWith(reading, [number]);
  if (record?.workspace_id !== tenant) return undefined;
  const details = await readDetails(reading, [record]);
  const row = await reading.db
    .selectFrom('log_bodies')
    .select('bodies')
    .where('number', '=', number)
    .executeTakeFirst();
  return { ...record, detail: details.get(number) ?? '{}', bodies: row?.bodies ?? null };
};

/** The maximum number of records of a trace that an error names. */
const maxOfTrace = 3;

/** Finds the ids of a workspace's records with a trace id, the newest first. */
const idsOfTrace = async (reading: LogReading, tenant: string, trace: string): Promise<readonly string[]> => {
  const filter: RecordFilter = { comparisons: [{ column: 'trace_id', is: '=', value: trace }], labels: [] };
  const asked: Asked = { tenant, filter, limit: maxOfTrace };
  return (await recordsWith(reading, await chosenNumbers(reading, asked))).map(({ id }) => id);
};

/**
 * Finds a record of a workspace by its id, in upper or lower case, or else by its trace id if no other record has the same.
 * Rejects with the `GatewayError` `not-found`, which names the records if the trace has several.
 */
export const getRecord = async (reading: LogReading, tenant: string, name: string): Promise<WholeRecord> => {
  const id = name.toLowerCase();
  const row = isUuid(id) ? await findRecord(reading, tenant, id) : undefined;
  if (row !== undefined) return row;
  const ids = await idsOfTrace(reading, tenant, name);
  const [first, ...others] = ids;
  const ofTrace = first === undefined || others.length > 0 ? undefined : await findRecord(reading, tenant, first);
  if (ofTrace !== undefined) return ofTrace;
  if (others.length === 0) throw notFound('log', name, 'GET /v1/logs');
  const suggestion = `Several requests have this trace. Use the id of one of them, such as ${ids.join(', ')}.`;
  throw gatewayError('not-found', { what: 'log', name: name.slice(0, 255), suggestion });
};
