import type { LogRow, RecordRow } from '../store/log-columns.ts';

export type HourRow = LogRow<'log_hours'>;

const hourMs = 3_600_000;

const isHit = ({ cache_status: status }: RecordRow): boolean => status === 'HIT' || status === 'SEMANTIC HIT';
const isMiss = ({ cache_status: status }: RecordRow): boolean =>
  status === 'MISS' || status === 'SEMANTIC MISS' || status === 'REFRESH';

const dimensionsOf = (record: RecordRow) => ({
  workspace_id: record.workspace_id,
  hour: Math.floor(record.created_at / hourMs) * hourMs,
  key_id: record.key_id ?? '',
  config: record.config ?? '',
  prompt: record.prompt ?? '',
  provider: record.provider ?? '',
  model: record.model ?? '',
  status: record.status,
});

const measuresOf = (record: RecordRow): Omit<HourRow, keyof ReturnType<typeof dimensionsOf>> => ({
  requests: 1,
  errors: 1 - record.is_success,
  micros: record.micros,
  most_micros: record.micros,
  input_tokens: record.input_tokens,
  output_tokens: record.output_tokens,
  cost: record.cost,
  cache_hits: isHit(record) ? 1 : 0,
  cache_misses: isMiss(record) ? 1 : 0,
});

/** What is added up in the table of hours; of `most_micros` the larger one counts. */
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

const addTo = (row: HourRow, record: RecordRow): void => {
  const more = measuresOf(record);
  for (const name of addedUp) row[name] += more[name];
  row.most_micros = Math.max(row.most_micros, more.most_micros);
};

/** What records add to the hours that analytics are made of. */
export class HourSums {
  readonly #rows = new Map<string, HourRow>();

  add(record: RecordRow): void {
    const dimensions = dimensionsOf(record);
    const key = JSON.stringify(dimensions);
    const row = this.#rows.get(key);
    if (row === undefined) this.#rows.set(key, { ...dimensions, ...measuresOf(record) });
    else addTo(row, record);
  }

  /** Sorted, so that processes do not wait for each other in circles. */
  rows(): readonly HourRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
}
