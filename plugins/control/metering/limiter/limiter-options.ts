import type { Cost, UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { LimitedAttempt } from '../../../sdk/control-plane/limiter.ts';
import type { Limits } from '../counters/limits.ts';
import type { LedgerEntry } from '../ledger/record/entry.ts';
import type { Posting, TakenPostings } from '../ledger/record/posting.ts';
import type { LearnedUse } from './matching/learned-use.ts';
import type { PoliciesOf } from './matching/policies-of.ts';
import type { ReachedWatch } from './matching/reached-limits.ts';
import type { UnknownsReport } from './report-unknowns.ts';

/** What attempts cost, as the data path knows it. */
export interface AttemptPrices {
  /** Resolves when prices can be asked for; undefined if they can now. */
  ready(): Promise<void> | undefined;
  /** Undefined for a model without a known price. */
  cost(
    record: UsageRecord,
    call: Pick<LimitedAttempt, 'provider' | 'model'> & {
      readonly listedAs: string;
      readonly saved: LimitedAttempt['prices'];
      readonly at: number;
    },
  ): Cost | undefined;
}

export interface LimiterOptions {
  readonly findPolicies: PoliciesOf;
  readonly limits: Limits<LedgerEntry>;
  /** Whether attempts that no policy limits are posted, too. */
  readonly countsAll: boolean;
  /** Takes what no policy limits. */
  readonly postings: Pick<TakenPostings<LedgerEntry>, 'take'>;
  readonly prices?: AttemptPrices | undefined;
  /** The name of a provider in public price lists. */
  readonly listedAs: (provider: string) => string;
  readonly clock: Clock;
  readonly unknowns: UnknownsReport;
  /** Is told how full counters are. */
  readonly watch: ReachedWatch;
}

/** What all requests share. */
export interface LimiterParts extends LimiterOptions {
  readonly learned: LearnedUse;
  /** Posts what no policy limits. It never throws. */
  readonly post: (posting: Posting<LedgerEntry>) => void;
}
