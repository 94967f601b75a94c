import type { RecordRow } from './log-store.ts';

/** How many of the labels in the gateway file have hourly sums: the first ones. */
export const maxLabels = 20;
/** The maximum number of different values of a dimension in an hour of a workspace; further ones share a row. */
export const maxValues = 100;
/** Longer values are in the row of further values, too. */
const longestValue = 200;

/** The dimensions of hourly sums other than labels, which are named `metadata.NAME`. */
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

/** The kinds of rows of sums: requests without a value, requests with one value, or requests whose values share a row. */
export const valueKinds = { none: 0, value: 1, other: 2 } as const;

type Described = Pick<
  RecordRow,
  'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'target' | 'status' | 'ending' | 'is_success' | 'cache_status'
>;

/**
 * Returns the outcome of a request: `success`, `error`, or, if its response did not end, `left` if the client disconnected, or
 * `cut`.
 */
const outcomeOf = ({ ending, is_success }: Pick<Described, 'ending' | 'is_success'>): string => {
  if (ending !== 'complete') return ending;
  return is_success === 1 ? 'success' : 'error';
};

/** Returns the values of a record, by dimension; null if it has none. */
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

/** Checks whether a value is short enough to have its own row. */
export const isShort = (value: string): boolean => value.length <= longestValue;
