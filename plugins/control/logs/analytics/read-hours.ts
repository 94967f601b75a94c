import { type RawBuilder, sql } from 'kysely';
import { hourMs } from '../../../../schema/durations.ts';
import { everything, valueKinds } from '../writer/dimensions.ts';
import { addHistogramBytes } from '../writer/histogram.ts';
import {
  addedToSplits,
  addedUp,
  emptySums,
  type SplitColumn,
  type SplitSums,
  type SummedColumn,
} from '../writer/hour-sums.ts';
import type { LogRow, LogStore } from '../writer/log-store.ts';

type LogReading = Pick<LogStore, 'db'>;

/**
 * Hours of a workspace, or of all workspaces of an organisation, in milliseconds since the epoch: from `min`, inclusive, to
 * `max`, exclusive.
 */
export interface Hours {
  readonly owner: { readonly workspace: string } | { readonly organisation: string };
  readonly min: number;
  readonly max: number;
  /** Hours are added up to steps of this many milliseconds. */
  readonly step: number;
}

/** The sums of time steps, by the start of each step. */
export type Steps = Map<number, SplitSums>;

/** A value by which requests are split; null for requests without one. */
export type SplitValue = string | null;

const stepOf = ({ step }: Hours): RawBuilder<number> => sql`hour - hour % ${sql.lit(Math.max(step, hourMs))}`;

const within = ({ owner, min, max }: Hours): RawBuilder<unknown> => {
  const ofOwner =
    'workspace' in owner ? sql`workspace_id = ${owner.workspace}` : sql`organisation_id = ${owner.organisation}`;
  return sql`${ofOwner} and hour >= ${min} and hour < ${max}`;
};

const summed = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join([
    ...names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
    sql`max(most_micros) as most_micros`,
  ]);

type Filter = Partial<Pick<LogRow<'log_hours'>, 'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'status'>>;

/** Reads the sums of a workspace's hours, with all conditions of a filter at once. Hours without requests are omitted. */
export const sumHours = async (
  { db }: LogReading,
  { tenant, filter, ...hours }: Omit<Hours, 'owner'> & { readonly tenant: string; readonly filter: Filter },
): Promise<Steps> => {
  const range = { ...hours, owner: { workspace: tenant } };
  const conditions = [
    within(range),
    ...Object.entries(filter).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ];
  type Row = Pick<LogRow<'log_hours'>, SummedColumn | 'most_micros'> & { readonly at: number };
  const { rows } = await sql<Row>`select ${stepOf(range)} as at, ${summed(addedUp)} from log_hours
    where ${sql.join(conditions, sql` and `)} group by 1`.execute(db);
  return new Map(rows.map(({ at, ...sums }) => [Number(at), { ...emptySums(), ...sums }]));
};

/** One dimension of the hourly sums, and its requested values; all values together if absent. */
export interface Wanted {
  readonly dimension: string;
  readonly values?: readonly SplitValue[] | undefined;
  /**
   * Whether rows of several workspaces are split by workspace. The dimension is then `everything`, and the values are workspace
   * ids.
   */
  readonly byWorkspace?: boolean | undefined;
  /** Whether histograms are needed. */
  readonly withTimes: boolean;
}

type Valued = Pick<LogRow<'log_splits'>, 'kind' | 'value'>;

const valueColumns = ({ byWorkspace }: Pick<Wanted, 'byWorkspace'>): RawBuilder<unknown> =>
  byWorkspace === true ? sql`${sql.lit(valueKinds.value)} as kind, workspace_id as value` : sql`kind, value`;

const ofValues = ({ values, byWorkspace }: Wanted): RawBuilder<unknown> => {
  if (values === undefined) return sql`1 = 1`;
  if (values.length === 0) return sql`1 = 0`;
  const [none, value] = [sql.lit(valueKinds.none), sql.lit(valueKinds.value)];
  const each = values.map((text) => {
    if (byWorkspace === true) return sql`workspace_id = ${text}`;
    return text === null ? sql`kind = ${none}` : sql`(kind = ${value} and value = ${text})`;
  });
  return sql`(${sql.join(each, sql` or `)})`;
};

const asValue = ({ kind, value }: Valued): SplitValue => (Number(kind) === valueKinds.none ? null : value);

/** Lists the values of a dimension with the most requests, in descending order. */
export const topValues = async (
  { db }: LogReading,
  hours: Hours,
  { dimension, byWorkspace, limit }: Pick<Wanted, 'dimension' | 'byWorkspace'> & { readonly limit: number },
): Promise<readonly SplitValue[]> => {
  const { rows } = await sql<Valued>`select kind, value from (select ${valueColumns({ byWorkspace })}, requests
    from log_splits where ${within(hours)} and dimension = ${dimension} and kind <> ${sql.lit(valueKinds.other)}) as valued
    group by kind, value order by sum(requests) desc, value limit ${limit}`.execute(db);
  return rows.map(asValue);
};

/** Reads the hourly sums by the values of a dimension; without values, the sums of all of them under `undefined`. */
export const sumSplits = async (
  { db }: LogReading,
  hours: Hours,
  wanted: Wanted,
): Promise<ReadonlyMap<SplitValue | undefined, Steps>> => {
  const isTogether = wanted.values === undefined;
  const found = new Map<SplitValue | undefined, Steps>();
  const sumsOf = (row: Valued & { readonly at: number }): SplitSums => {
    const value = isTogether ? undefined : asValue(row);
    const steps = found.get(value) ?? new Map<number, SplitSums>();
    found.set(value, steps);
    const at = Number(row.at);
    const sums = steps.get(at) ?? emptySums();
    steps.set(at, sums);
    return sums;
  };
  const conditions = sql`${within(hours)} and dimension = ${wanted.dimension} and ${ofValues(wanted)}`;
  type Row = Pick<LogRow<'log_splits'>, keyof LogRow<'log_splits'> & ('kind' | 'value' | 'most_micros')> &
    Readonly<Record<SplitColumn, number>> & { readonly at: number };
  const { rows } = await sql<Row>`select at, kind, value, ${summed(addedToSplits)} from (
    select ${stepOf(hours)} as at, ${valueColumns(wanted)}, most_micros, ${sql.join(addedToSplits.map((name) => sql.ref(name)))}
    from log_splits where ${conditions}) as splits group by at, kind, value`.execute(db);
  for (const row of rows) {
    const sums = sumsOf(row);
    for (const name of addedToSplits) sums[name] += row[name];
    sums.most_micros = Math.max(sums.most_micros, row.most_micros);
  }
  if (!wanted.withTimes) return found;
  type Times = Valued & Pick<LogRow<'log_splits'>, 'durations' | 'firsts'> & { readonly at: number };
  const times = await sql<Times>`select ${stepOf(hours)} as at, ${valueColumns(wanted)}, durations, firsts
    from log_splits where ${conditions}`.execute(db);
  for (const row of times.rows) {
    const sums = sumsOf(row);
    addHistogramBytes(sums.durations, row.durations);
    addHistogramBytes(sums.firsts, row.firsts);
  }
  return found;
};

/** Checks whether some values of a dimension share a row in these hours, so that sums of single values may be incomplete. */
export const hasOthers = async ({ db }: LogReading, hours: Hours, dimension: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from log_splits where ${within(hours)} and dimension = ${dimension}
    and kind = ${sql.lit(valueKinds.other)} limit 1`.execute(db);
  return rows.length > 0;
};

/**
 * Finds the start of the first hour of a workspace or an organisation that has sums by one dimension; undefined if there is none.
 */
export const firstSplitAt = async ({ db }: LogReading, hours: Hours): Promise<number | undefined> => {
  const { rows } = await sql<{ readonly hour: number | null }>`select min(hour) as hour from log_splits
    where ${within({ ...hours, min: 0 })} and dimension = ${everything}`.execute(db);
  const hour = rows[0]?.hour ?? null;
  return hour === null ? undefined : Number(hour);
};

/**
 * Checks whether a workspace's sums by one dimension cover all of its requests in these hours, and not only those since the
 * version that wrote the first of them. These rows are far fewer than the sums by all dimensions at once.
 */
export const hasAllSplits = async (
  { db }: LogReading,
  { tenant, min }: { readonly tenant: string; readonly min: number },
): Promise<boolean> => {
  const first = sql`(select min(hour) from log_splits where workspace_id = ${tenant} and dimension = ${everything} and hour >= ${min})`;
  const { rows } = await sql<{ readonly hours: number | null; readonly splits: number | null }>`select
    (select sum(requests) from log_hours where workspace_id = ${tenant} and hour >= ${min} and hour <= ${first}) as hours,
    (select sum(requests) from log_splits where workspace_id = ${tenant} and dimension = ${everything} and hour = ${first}) as splits`.execute(
    db,
  );
  const { hours = null, splits = null } = rows[0] ?? {};
  return splits !== null && Number(hours) === Number(splits);
};

/** Counts the requests of each hour, exactly. */
export const countRequests = async (reading: LogReading, hours: Hours): Promise<ReadonlyMap<number, number>> => {
  const steps = await sumSplits(reading, { ...hours, step: hourMs }, { dimension: everything, withTimes: false });
  return new Map([...(steps.get(undefined) ?? [])].map(([at, { requests }]) => [at, requests]));
};
