import type { RecordRow } from './log-store.ts';

/** Labels are summed by hour where they are among the first so many that the gateway file declares. */
export const maxLabels = 20;
/** Different values of a dimension that an hour of a workspace has; further ones share a row. */
export const maxValues = 100;
/** Longer ones are in the row of further values, too. */
const longestValue = 200;

/** The dimensions of the sums of an hour beside labels, whose are called `metadata.NAME`. */
export const dimensions = [
  'key_id',
  'config',
  'prompt_slug',
  'provider',
  'model',
  'target',
  'status',
  'outcome',
  'cache_status',
] as const;

export type Dimension = (typeof dimensions)[number];

/** The dimension whose single row has all requests of an hour. */
export const everything = 'all';

export const labelPrefix = 'metadata.';

/** The kinds of rows of sums: of requests that have no value, those with one, or those whose values share a row. */
export const valueKinds = { none: 0, value: 1, other: 2 } as const;

type Described = Pick<
  RecordRow,
  'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'target' | 'status' | 'ending' | 'is_success' | 'cache_status'
>;

/** How a request came out: `success`, `error`, or where its answer did not end: `left` by its client, or `cut`. */
const outcomeOf = ({ ending, is_success }: Pick<Described, 'ending' | 'is_success'>): string => {
  if (ending !== 'complete') return ending;
  return is_success === 1 ? 'success' : 'error';
};

/** The values of a record, by dimension; null where it has none. */
export const valuesOf = (record: Described): Readonly<Record<Dimension, string | null>> => ({
  key_id: record.key_id,
  config: record.config,
  prompt_slug: record.prompt,
  provider: record.provider,
  model: record.model,
  target: record.target,
  status: String(record.status),
  outcome: outcomeOf(record),
  cache_status: record.cache_status,
});

/** Whether a value is so short that it may have a row of its own. */
export const isShort = (value: string): boolean => value.length <= longestValue;
