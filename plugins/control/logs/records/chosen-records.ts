import { type RawBuilder, sql } from 'kysely';
import { readLabels } from '../recording/to-record.ts';
import { logColumns } from '../store/log-columns.ts';
import type { LogStore } from '../store/log-store.ts';
import { findNumber, timeOfId, toFirstNumber, traceBytes, traceKey, tracePart } from '../store/stored-id.ts';
import { labelPair } from '../writer/kept-facts.ts';
import type { Comparison, RecordFilter } from './record-filters.ts';

type LogReading = Pick<LogStore, 'db' | 'kind'>;

/** The records that are wanted, the newest first. */
export interface Asked {
  readonly tenant: string;
  readonly filter: RecordFilter;
  readonly limit: number;
  /** The id behind which they begin. */
  readonly after?: string | undefined;
}

/** So many of the newest are read one by one before an index is: where many are chosen, they are among these. */
const lookedThrough = 4000;

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...conditions], sql` and `);

const isOfFacts = ({ column }: Comparison): boolean => column in logColumns.log_facts;

const compared = (table: string, { column, is, value }: Comparison): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.${column}`)} ${sql.raw(is)} ${value}`;

/** Compares a column with some numbers. Of a list, PostgreSQL knows that it is short, whatever it thinks of tables. */
const among = (
  kind: LogStore['kind'],
  column: RawBuilder<unknown>,
  numbers: RawBuilder<unknown>,
): RawBuilder<unknown> => (kind === 'sqlite' ? sql`${column} in ${numbers}` : sql`${column} = any (array${numbers})`);

/** The numbers of what the records of a workspace have in common, where that is as the filter says. */
const toFacts = ({ tenant, filter }: Asked): RawBuilder<unknown> => {
  const given = filter.comparisons.filter(isOfFacts).map((comparison) => compared('facts', comparison));
  return sql`(select facts.number from log_facts as facts where ${all([sql`facts.workspace_id = ${tenant}`, ...given])})`;
};

/** The numbers of the sets of labels that have one. What finds it may find others, too. */
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

/** The parts of the index of traces that there are. */
const traceParts = async ({ db }: LogReading): Promise<readonly [first: number, last: number] | undefined> => {
  const { rows } = await sql<{ readonly first: number | null; readonly last: number | null }>`select
    (select min(number) from log_blocks) as first, (select max(number) from log_blocks) as last`.execute(db);
  const { first, last } = rows[0] ?? { first: null, last: null };
  return first === null || last === null ? undefined : [tracePart(first), tracePart(last)];
};

const series = (kind: LogStore['kind'], [first, last]: readonly [number, number]): RawBuilder<unknown> =>
  kind === 'sqlite'
    ? sql`(with recursive counted(part) as (select ${sql.lit(first)} union all select part + 1 from counted where part < ${sql.lit(last)}) select part from counted)`
    : sql`(select generate_series(cast(${sql.lit(first)} as bigint), cast(${sql.lit(last)} as bigint)) as part)`;

/** The numbers of the records of a trace. */
const numbersOfTrace = async (reading: LogReading, trace: string): Promise<RawBuilder<unknown>> => {
  const parts = await traceParts(reading);
  if (parts === undefined) return sql`(select number from log_rows where 1 = 0)`;
  const first = traceKey(0, trace);
  const step = traceKey(1, trace) - first;
  return sql`(select found.number from ${series(reading.kind, parts)} as parts cross join log_rows as found
    where found.trace_key = parts.part * ${sql.lit(step)} + ${sql.lit(first)} and found.trace = ${traceBytes(trace)})`;
};

/** Numbers hold the time, so that a range of times is one of numbers. */
interface Range {
  readonly from: number;
  /** Not this one. */
  readonly to: number;
}

const readRange = async ({ db }: LogReading, { filter: { min, max }, after }: Asked): Promise<Range> => {
  const ends = [Number.MAX_SAFE_INTEGER];
  if (max !== undefined) ends.push(toFirstNumber(Math.ceil(max)));
  if (after !== undefined) ends.push((await findNumber(db, after)) ?? toFirstNumber(timeOfId(after)));
  return { from: min === undefined ? 0 : toFirstNumber(Math.ceil(min)), to: Math.min(...ends) };
};

const within = (name: string, { from, to }: Range): RawBuilder<unknown> =>
  sql`${sql.ref(name)} >= ${from} and ${sql.ref(name)} < ${to}`;

/** The number of the last of those that are looked through; undefined if there are no more. */
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

const selectNumbers = async ({ db }: LogReading, query: RawBuilder<unknown>): Promise<readonly number[]> => {
  const { rows } = await sql<{ readonly number: number }>`${query}`.execute(db);
  return rows.map(({ number }) => number);
};

/**
 * The numbers of the records of a workspace that a filter chooses, the newest first. The newest of all are looked through
 * first; if these are not enough, an index finds the others: that of a trace, of a label, or of what records have in common.
 */
export const chosenNumbers = async (reading: LogReading, asked: Asked): Promise<readonly number[]> => {
  const { kind } = reading;
  const { tenant, filter, limit } = asked;
  const traces = filter.comparisons.filter(({ column }) => column === 'trace_id');
  const others = filter.comparisons.filter((comparison) => !isOfFacts(comparison) && comparison.column !== 'trace_id');
  // As they were cut when they were kept.
  const labels = filter.labels.flatMap(([name, value]) => Object.entries(readLabels({ [name]: value })));
  const ofFacts = (column: RawBuilder<unknown>): RawBuilder<unknown> => among(kind, column, toFacts(asked));
  // No index has a sum: PostgreSQL would read that of all records of the workspace beside the one that finds few.
  const withoutIndex = ofFacts(sql`line.facts + 0`);
  const beside = [
    ...labels.map((label) => among(kind, sql.ref('line.labels'), setsWith(kind, tenant, label))),
    ...traces.map(({ value }) => sql`line.trace = ${traceBytes(String(value))}`),
    ...others.map((comparison) => compared('line', comparison)),
  ];
  const conditions = [withoutIndex, ...beside];
  const range = await readRange(reading, asked);
  const [trace] = traces;
  if (trace !== undefined) {
    const numbers = await numbersOfTrace(reading, String(trace.value));
    return selectNumbers(
      reading,
      sql`select line.number from log_rows as line
        where ${among(kind, sql.ref('line.number'), numbers)} and ${within('line.number', range)} and ${all(conditions)}
        order by line.number desc limit ${limit}`,
    );
  }
  const end = await endOfNewest(reading, range);
  const newest = within('line.number', end === undefined ? range : { ...range, from: end + 1 });
  const first = await selectNumbers(
    reading,
    sql`select line.number from log_rows as line
      where ${newest} and ${all(conditions)} order by line.number desc limit ${limit}`,
  );
  if (end === undefined || first.length >= limit) return first;
  const rest = await byIndex(reading, {
    conditions: [
      within('line.number', { from: range.from, to: end + 1 }),
      labels.length > 0 ? withoutIndex : ofFacts(sql.ref('line.facts')),
      ...beside,
    ],
    index: labels.length > 0 ? 'log_rows_by_labels' : 'log_rows_by_facts',
    limit: limit - first.length,
  });
  return [...first, ...rest];
};

interface IndexReading {
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly index: 'log_rows_by_facts' | 'log_rows_by_labels';
  readonly limit: number;
}

/** The databases would rather read all records in the order that is wanted, which takes long where few are chosen. */
const byIndex = (reading: LogReading, { conditions, index, limit }: IndexReading): Promise<readonly number[]> => {
  const indexed = reading.kind === 'sqlite' ? sql`indexed by ${sql.ref(index)}` : sql``;
  return selectNumbers(
    reading,
    sql`select line.number from log_rows as line ${indexed}
      where ${all(conditions)} order by line.number + 0 desc limit ${limit}`,
  );
};
