import { sql } from 'kysely';
import { startOfHour } from '../../../../schema/durations.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { type Dimension, labelPrefix, valuesOf } from '../writer/dimensions.ts';
import { addedToSplits, addRecord, emptySums } from '../writer/hour-sums.ts';
import { type LogRow, type LogStore, listedIntegers } from '../writer/log-store.ts';
import { timeOfNumber, toFirstNumber } from '../writer/stored-id.ts';
import { countRequests, type Hours, type SplitValue, type Steps } from './read-hours.ts';

/** The time range is read in this many parts, with a limited number of records in each. */
const parts = 50;
const recordsOfPart = 400;

/** The requests of a sample: those with all of these values, optionally split by one dimension. */
export interface SampleAsked {
  readonly tenant: string;
  readonly filter: ReadonlyMap<string, string>;
  readonly split: string | undefined;
}

/** The estimate of all requests, by the values that they are split by; `undefined` if they are not split. */
export interface Sample {
  readonly series: ReadonlyMap<SplitValue | undefined, Steps>;
  /** The share of the workspace's requests in that time that was read, 0 to 1. */
  readonly share: number;
}

type Line = Pick<
  LogRow<'log_rows'>,
  'number' | 'facts' | 'labels' | 'micros' | 'input_tokens' | 'output_tokens' | 'cost'
>;

const readLines = async ({ db }: Pick<LogStore, 'db'>, { min, max }: Pick<Hours, 'min' | 'max'>): Promise<Line[]> => {
  const width = (max - min) / parts;
  const selects = Array.from({ length: parts }, (_, at) => {
    const from = toFirstNumber(Math.floor(min + at * width));
    const to = toFirstNumber(Math.floor(min + (at + 1) * width));
    return sql`select * from (select number, facts, labels, micros, input_tokens, output_tokens, cost from log_rows
      where number >= ${from} and number < ${to} order by number limit ${sql.lit(recordsOfPart)}) as ${sql.ref(`part_${at}`)}`;
  });
  return [...(await sql<Line>`${sql.join(selects, sql` union all `)}`.execute(db)).rows];
};

type Facts = LogRow<'log_facts'>;

/**
 * Reads a bounded part of the records of whole hours, and estimates the sums of all of them: the records of each hour are
 * weighted so that they stand for its exact number of requests. The sample has no times to the first byte and no cached tokens.
 */
export const readSample = async (
  log: Pick<LogStore, 'db' | 'kind'>,
  hours: Omit<Hours, 'owner'>,
  { tenant, filter, split }: SampleAsked,
): Promise<Sample> => {
  const lines = await readLines(log, hours);
  const factNumbers = listedIntegers(log.kind, [...new Set(lines.map((line) => line.facts))]);
  const { rows } = await sql<Facts>`select * from log_facts where workspace_id = ${tenant} and source = 'gateway'
    and number in ${factNumbers}`.execute(log.db);
  const facts = new Map(rows.map((row) => [row.number, row]));
  const own = lines.flatMap((line) => {
    const of = facts.get(line.facts);
    return of === undefined ? [] : [{ ...of, ...line }];
  });
  const needsLabels = [...filter.keys(), split ?? ''].some((name) => name.startsWith(labelPrefix));
  const sets = new Map<number, ReturnType<typeof parseObject>>();
  if (needsLabels) {
    const numbers = listedIntegers(log.kind, [...new Set(own.flatMap(({ labels }) => labels ?? []))]);
    const found = await sql<LogRow<'log_label_sets'>>`select * from log_label_sets where number in ${numbers}`.execute(
      log.db,
    );
    for (const { number, metadata } of found.rows) sets.set(number, parseObject(metadata));
  }
  const readValue = (record: (typeof own)[number], name: string): SplitValue => {
    if (!name.startsWith(labelPrefix)) return valuesOf(record)[name as Dimension];
    const value = lookUp(sets.get(record.labels ?? -1) ?? {}, name.slice(labelPrefix.length));
    return value === undefined ? null : String(value);
  };

  const counted = await countRequests(log, { ...hours, owner: { workspace: tenant } });
  const read = new Map<number, number>();
  for (const { number } of own) {
    const hour = startOfHour(timeOfNumber(number));
    read.set(hour, (read.get(hour) ?? 0) + 1);
  }
  const series = new Map<SplitValue | undefined, Steps>();
  for (const record of own) {
    if ([...filter].some(([name, value]) => readValue(record, name) !== value)) continue;
    const time = timeOfNumber(record.number);
    const hour = startOfHour(time);
    const sampled = read.get(hour) ?? 1;
    const weight = Math.max(1, (counted.get(hour) ?? sampled) / sampled);
    const value = split === undefined ? undefined : readValue(record, split);
    const steps = series.get(value) ?? new Map();
    series.set(value, steps);
    const at = Math.floor(time / hours.step) * hours.step;
    const sums = steps.get(at) ?? emptySums();
    steps.set(at, sums);
    addRecord(sums, record, weight);
  }
  for (const steps of series.values())
    for (const sums of steps.values()) for (const name of addedToSplits) sums[name] = Math.round(sums[name]);
  const total = [...counted.values()].reduce((sum, count) => sum + count, 0);
  return { series, share: total === 0 ? 1 : Math.min(1, own.length / total) };
};
