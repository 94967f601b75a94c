import { type RawBuilder, sql } from 'kysely';
import { addHistogram, countIn, toBucket } from './histogram.ts';
import type { RecordRow } from './log-store.ts';

/** The columns that are added up. Of `most_micros` the maximum is taken. */
export const addedUp = [
  'requests',
  'errors',
  'micros',
  'input_tokens',
  'output_tokens',
  'cost',
  'cache_hits',
  'cache_misses',
] as const;

/** The additional columns of split sums. */
export const addedToSplits: readonly SplitColumn[] = [...addedUp, 'cached_tokens', 'rescued'];

export type SummedColumn = (typeof addedUp)[number];
export type SplitColumn = SummedColumn | 'cached_tokens' | 'rescued';

const hits: ReadonlySet<unknown> = new Set(['HIT', 'SEMANTIC HIT']);
const misses: ReadonlySet<unknown> = new Set(['MISS', 'SEMANTIC MISS', 'REFRESH']);

/** The part of a record that sums are computed from. */
export type Measured = Pick<
  RecordRow,
  'is_success' | 'micros' | 'input_tokens' | 'output_tokens' | 'cost' | 'cache_status' | 'fell_back'
> &
  Pick<Partial<RecordRow>, 'cached_tokens' | 'first_micros'>;

/** The sums of requests: counts and durations. */
export interface SplitSums extends Record<SplitColumn, number> {
  most_micros: number;
  /** Durations up to the end of the response. */
  readonly durations: Map<number, number>;
  /** Durations up to the first byte of the last attempt's response. Requests that no target answered are not included. */
  readonly firsts: Map<number, number>;
}

/** Returns the assignments that add the sums of a new row to those of the existing row of a table. */
export const addingUp = (
  table: 'log_hours' | 'log_splits',
  names: readonly SplitColumn[],
): readonly RawBuilder<unknown>[] => [
  ...names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  sql.raw(
    `most_micros = case when excluded.most_micros > ${table}.most_micros then excluded.most_micros else ${table}.most_micros end`,
  ),
];

/** The sums of no requests. */
export const emptySums = (): SplitSums => ({
  ...{ requests: 0, errors: 0, micros: 0, most_micros: 0, input_tokens: 0, output_tokens: 0, cost: 0 },
  ...{ cache_hits: 0, cache_misses: 0, cached_tokens: 0, rescued: 0, durations: new Map(), firsts: new Map() },
});

/** Adds a record, which may stand for several similar ones. */
export const addRecord = (to: SplitSums, record: Measured, count = 1): void => {
  to.requests += count;
  to.errors += count * (1 - record.is_success);
  to.micros += count * record.micros;
  to.most_micros = Math.max(to.most_micros, record.micros);
  to.input_tokens += count * record.input_tokens;
  to.cached_tokens += count * (record.cached_tokens ?? 0);
  to.output_tokens += count * record.output_tokens;
  to.cost += count * record.cost;
  if (hits.has(record.cache_status)) to.cache_hits += count;
  if (misses.has(record.cache_status)) to.cache_misses += count;
  if (record.fell_back === 1) to.rescued += count * record.is_success;
  countIn(to.durations, toBucket(record.micros), count);
  if (typeof record.first_micros === 'number') countIn(to.firsts, toBucket(record.first_micros), count);
};

/** Adds the columns of sums that a table has to others. */
export const addCounts = <Column extends SplitColumn>(
  to: Record<Column | 'most_micros', number>,
  from: Readonly<Record<Column | 'most_micros', number>>,
  names: readonly Column[],
): void => {
  for (const name of names) to[name] += from[name];
  to.most_micros = Math.max(to.most_micros, from.most_micros);
};

/** Adds sums to others. */
export const addSums = (to: SplitSums, from: SplitSums): void => {
  addCounts(to, from, addedToSplits);
  addHistogram(to.durations, from.durations);
  addHistogram(to.firsts, from.firsts);
};
