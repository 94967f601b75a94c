import type { Facts, RecordedAttempt } from './ledger-record.ts';
import { addSums, type Sums, toSums } from './summed-columns.ts';

/** What attempts of the same facts add to the sums of an hour. */
export interface BookedSums {
  readonly facts: Facts;
  /** Of one of them, in milliseconds since the epoch. */
  readonly at: number;
  readonly sums: Sums;
}

/** An attempt as it is kept, and what it adds to the sums. */
export interface BookedAttempt {
  readonly attempt: RecordedAttempt;
  readonly sums: Sums;
}

/** The difference of what was used to what was estimated, at the time and of the caller of the estimate: both together are what was used. */
export const corrected = (estimate: RecordedAttempt, actual: RecordedAttempt): BookedAttempt => {
  const { attempts, requests } = estimate;
  const sums = toSums({ ...actual, attempts, requests });
  addSums(sums, toSums(estimate), -1);
  const { unpriced, reported, partial, estimated, none, nano_usd, ...used } = sums;
  const isPriced = actual.nano_usd !== null || estimate.nano_usd !== null;
  const { answered_model, kind, tier, prices } = actual.facts;
  return {
    attempt: {
      ...estimate,
      ...used,
      facts: { ...estimate.facts, answered_model, kind, tier, prices },
      corrects: actual.corrects,
      nano_usd: isPriced ? nano_usd : null,
    },
    sums,
  };
};
