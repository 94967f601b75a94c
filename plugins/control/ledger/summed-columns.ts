import type { LedgerRow, UsageHourRow } from '../store/tables.ts';
import type { RecordedAttempt } from './ledger-record.ts';

/** A column of a roll-up that is a sum. */
export type SummedColumn =
  | ('requests' | 'attempts' | 'input_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'audio_tokens')
  | ('output_tokens' | 'reasoning_tokens' | 'nano_usd' | 'unpriced' | 'reported' | 'partial' | 'estimated' | 'none');

export const summedColumns: readonly SummedColumn[] = [
  ...(['requests', 'attempts', 'input_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const),
  ...(['audio_tokens', 'output_tokens', 'reasoning_tokens', 'nano_usd', 'unpriced'] as const),
  ...(['reported', 'partial', 'estimated', 'none'] as const),
];

/** What a row of the ledger adds to the rows of sums that it belongs to. */
export type Sums = Readonly<Pick<UsageHourRow, SummedColumn>>;

type Kinds = Pick<Sums, 'unpriced' | LedgerRow['kind']>;

const noKinds: Kinds = { unpriced: 0, reported: 0, partial: 0, estimated: 0, none: 0 };

const isUnpriced = ({ nano_usd, input_tokens, output_tokens }: RecordedAttempt): boolean =>
  nano_usd === null && input_tokens + output_tokens > 0;

const kindsOf = (attempt: RecordedAttempt): Kinds => ({
  ...noKinds,
  [attempt.facts.kind]: attempt.attempts,
  unpriced: isUnpriced(attempt) ? attempt.attempts : 0,
});

/** The sums of an attempt, or of several that were merged. */
export const toSums = (attempt: RecordedAttempt): Sums => ({
  requests: attempt.requests,
  attempts: attempt.attempts,
  input_tokens: attempt.input_tokens,
  cache_read_tokens: attempt.cache_read_tokens,
  cache_write_tokens: attempt.cache_write_tokens,
  audio_tokens: attempt.audio_tokens,
  output_tokens: attempt.output_tokens,
  reasoning_tokens: attempt.reasoning_tokens,
  nano_usd: attempt.nano_usd ?? 0,
  ...kindsOf(attempt),
});

/** The sum of both, or with -1 the difference. */
export const addSums = (to: Sums, sums: Sums, sign: 1 | -1 = 1): Sums => ({
  requests: to.requests + sign * sums.requests,
  attempts: to.attempts + sign * sums.attempts,
  input_tokens: to.input_tokens + sign * sums.input_tokens,
  cache_read_tokens: to.cache_read_tokens + sign * sums.cache_read_tokens,
  cache_write_tokens: to.cache_write_tokens + sign * sums.cache_write_tokens,
  audio_tokens: to.audio_tokens + sign * sums.audio_tokens,
  output_tokens: to.output_tokens + sign * sums.output_tokens,
  reasoning_tokens: to.reasoning_tokens + sign * sums.reasoning_tokens,
  nano_usd: to.nano_usd + sign * sums.nano_usd,
  unpriced: to.unpriced + sign * sums.unpriced,
  reported: to.reported + sign * sums.reported,
  partial: to.partial + sign * sums.partial,
  estimated: to.estimated + sign * sums.estimated,
  none: to.none + sign * sums.none,
});
