import type { UsageHourRow } from '../../../kernel/store/tables/tables.ts';
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

/** The same, while it is added up. */
export type AddedSums = { -readonly [Column in SummedColumn]: number };

export const noSums = (): AddedSums => ({
  ...{ requests: 0, attempts: 0, input_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
  ...{
    output_tokens: 0,
    reasoning_tokens: 0,
    nano_usd: 0,
    unpriced: 0,
    reported: 0,
    partial: 0,
    estimated: 0,
    none: 0,
  },
});

const isUnpriced = ({ nano_usd, input_tokens, output_tokens }: RecordedAttempt): boolean =>
  nano_usd === null && input_tokens + output_tokens > 0;

/** Adds an attempt, or several that were merged. */
export const addAttempt = (to: AddedSums, attempt: RecordedAttempt): void => {
  const { attempts } = attempt;
  to.requests += attempt.requests;
  to.attempts += attempts;
  to.input_tokens += attempt.input_tokens;
  to.cache_read_tokens += attempt.cache_read_tokens;
  to.cache_write_tokens += attempt.cache_write_tokens;
  to.audio_tokens += attempt.audio_tokens;
  to.output_tokens += attempt.output_tokens;
  to.reasoning_tokens += attempt.reasoning_tokens;
  to.nano_usd += attempt.nano_usd ?? 0;
  if (isUnpriced(attempt)) to.unpriced += attempts;
  to[attempt.facts.kind] += attempts;
};

export const toSums = (attempt: RecordedAttempt): AddedSums => {
  const sums = noSums();
  addAttempt(sums, attempt);
  return sums;
};

/** Adds sums, or with -1 takes them away. */
export const addSums = (to: AddedSums, sums: Sums, sign: 1 | -1 = 1): void => {
  to.requests += sign * sums.requests;
  to.attempts += sign * sums.attempts;
  to.input_tokens += sign * sums.input_tokens;
  to.cache_read_tokens += sign * sums.cache_read_tokens;
  to.cache_write_tokens += sign * sums.cache_write_tokens;
  to.audio_tokens += sign * sums.audio_tokens;
  to.output_tokens += sign * sums.output_tokens;
  to.reasoning_tokens += sign * sums.reasoning_tokens;
  to.nano_usd += sign * sums.nano_usd;
  to.unpriced += sign * sums.unpriced;
  to.reported += sign * sums.reported;
  to.partial += sign * sums.partial;
  to.estimated += sign * sums.estimated;
  to.none += sign * sums.none;
};
