import { hourMs, startOfHour } from '../../../../schema/durations.ts';
import type { LogRow, RecordRow } from '../store/log-columns.ts';

export type HourRow = LogRow<'log_hours'>;

const hits: ReadonlySet<unknown> = new Set(['HIT', 'SEMANTIC HIT']);
const misses: ReadonlySet<unknown> = new Set(['MISS', 'SEMANTIC MISS', 'REFRESH']);

const toDimensions = (record: RecordRow) => ({
  workspace_id: record.workspace_id,
  hour: startOfHour(record.created_at),
  key_id: record.key_id ?? '',
  config: record.config ?? '',
  prompt: record.prompt ?? '',
  provider: record.provider ?? '',
  model: record.model ?? '',
  status: record.status,
});

/** The columns that are added up in the table of hours; of `most_micros` the larger one counts. */
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

/** The sums of an hour. */
export type Sums = Pick<HourRow, (typeof addedUp)[number] | 'most_micros'>;

/** The sums of an hour without requests. */
export const noSums: Sums = {
  ...{ requests: 0, errors: 0, micros: 0, most_micros: 0, input_tokens: 0, output_tokens: 0, cost: 0 },
  ...{ cache_hits: 0, cache_misses: 0 },
};

const addTo = (row: HourRow, record: RecordRow): void => {
  row.requests += 1;
  row.errors += 1 - record.is_success;
  row.micros += record.micros;
  row.most_micros = Math.max(row.most_micros, record.micros);
  row.input_tokens += record.input_tokens;
  row.output_tokens += record.output_tokens;
  row.cost += record.cost;
  if (hits.has(record.cache_status)) row.cache_hits += 1;
  if (misses.has(record.cache_status)) row.cache_misses += 1;
};

/** Adds records up to the hours that analytics are made of. */
export class HourSums {
  readonly #rows = new Map<string, HourRow>();
  /** The same rows, by their hour and what their records have in common. */
  readonly #known = new Map<number, Map<number, HourRow>>();

  /** @param facts the same number only for records that are of one row in each hour */
  add(record: RecordRow, facts: number): void {
    const hour = Math.floor(record.created_at / hourMs);
    let rows = this.#known.get(hour);
    if (rows === undefined) {
      rows = new Map();
      this.#known.set(hour, rows);
    }
    let row = rows.get(facts);
    if (row === undefined) {
      row = this.#toRow(record);
      rows.set(facts, row);
    }
    addTo(row, record);
  }

  #toRow(record: RecordRow): HourRow {
    const dimensions = toDimensions(record);
    const key = JSON.stringify(dimensions);
    const before = this.#rows.get(key);
    if (before !== undefined) return before;
    const row = { ...dimensions, ...noSums };
    this.#rows.set(key, row);
    return row;
  }

  /** Lists them sorted, so that processes do not wait for each other in circles. */
  rows(): readonly HourRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
}
