import type { LimitPolicy } from '../../../../../../plugins/control/kernel/limits/limit-policy.ts';
import type { Limits } from '../../../../../../plugins/control/metering/counters/limits.ts';
import { MemoryLimits } from '../../../../../../plugins/control/metering/counters/memory-limits.ts';
import type { LedgerEntry, Posting } from '../../../../../../plugins/control/metering/ledger/posting.ts';
import { createPolicyFinder } from '../../../../../../plugins/control/metering/limiter/compile-policies.ts';
import { createLimiter } from '../../../../../../plugins/control/metering/limiter/counted-request.ts';
import {
  type ReachedLimit,
  ReachedWatch,
  UnknownsReport,
} from '../../../../../../plugins/control/metering/limiter/notify-reached.ts';
import type { AttemptPrices } from '../../../../../../plugins/control/metering/limiter/request-attempts.ts';
import type {
  LimitedAttempt,
  LimitedRequest,
  Reservation,
} from '../../../../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange, OrganisationId, WorkspaceId } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import { GatewayError } from '../../../../../../schema/errors/errors.ts';
import type { UsageRecord } from '../../../../../../schema/usage/usage-record.ts';
import { sampleExchange, toTenant } from '../../../../../support/in-process/sample-exchange.ts';
import { type JumpingClock, jumpingClock } from '../../../support/jumping-clock.ts';

export const limitPolicy = (changes: Partial<LimitPolicy> = {}): LimitPolicy => ({
  ...{ id: 'p', name: 'The policy', kind: 'usage', conditions: [], groupBy: [], unit: 'tokens', limit: 1000 },
  ...{ reset: { every: 'never' }, ifUnknown: 'allow' },
  ...changes,
});

export const used = (input: number, output: number, nanoUsd?: number): UsageRecord => ({
  ...{ kind: 'reported', model: 'm', input: { total: input }, output: { total: output } },
  ...(nanoUsd === undefined ? {} : { cost: { nanoUsd, prices: 'test' } }),
});

export const modelAttempt: LimitedAttempt = {
  target: 't',
  provider: 'openai',
  model: 'm',
  bodyBytes: 400,
  maxOutput: 100,
};

export interface LimiterWorld {
  readonly clock: JumpingClock;
  readonly postings: readonly Posting<LedgerEntry>[];
  readonly reached: readonly ReachedLimit[];
  readonly limits: Pick<Limits<LedgerEntry>, 'reset'>;
  readonly said: readonly string[];
  admit(given?: Partial<Exchange>): Promise<LimitedRequest>;
  /** Admits a request, makes one attempt, and settles it. */
  run(usage: UsageRecord, attempt?: Partial<LimitedAttempt>): Promise<void>;
  /** Lets the counters post what was settled. */
  flush(): Promise<void>;
}

export interface LimiterWorldOptions {
  readonly prices?: AttemptPrices;
  /** True if absent. */
  readonly countsAll?: boolean;
  /** Replaces the counters in memory. */
  readonly limits?: (memory: Limits<LedgerEntry>) => Limits<LedgerEntry>;
}

/** Creates a limiter with counters in memory, at the beginning of a minute. */
export const limiterWorld = (
  policies: readonly LimitPolicy[],
  { prices, countsAll = true, limits = (memory) => memory }: LimiterWorldOptions = {},
): LimiterWorld => {
  const clock = jumpingClock(Date.UTC(2026, 10, 21, 12, 0, 0));
  const posted: Posting<LedgerEntry>[] = [];
  const reached: ReachedLimit[] = [];
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const postings = { take: (posting: Posting<LedgerEntry>) => void posted.push(posting) };
  const counters = limits(new MemoryLimits<LedgerEntry>({ clock, postings }));
  const limiter = createLimiter({
    ...{
      findPolicies: createPolicyFinder({ findPolicies: () => policies }, (provider) => provider),
      limits: counters,
      postings,
      clock,
      countsAll,
    },
    ...(prices === undefined ? {} : { prices }),
    listedAs: (provider) => provider,
    unknowns: new UnknownsReport(clock, say),
    watch: new ReachedWatch((limit) => void reached.push(limit)),
  });
  const principal = {
    ...{ tenant: toTenant('w'), keyId: 'k' },
    ...{ workspace: 'w' as WorkspaceId, organisation: 'o' as OrganisationId },
  };
  const admit = async (given: Partial<Exchange> = {}): Promise<LimitedRequest> => {
    const request = await limiter.admit(sampleExchange({}, { principal, ...given }), { name: 'prod' });
    if (request === undefined) throw new Error('Nothing is counted of this request.');
    return request;
  };
  return {
    ...{ clock, limits: counters, postings: posted, reached, said, admit },
    async run(usage, attempt = {}) {
      const request = await admit();
      const reservation = await request.attempt({ ...modelAttempt, ...attempt });
      reservation.settle(usage);
      request.end();
    },
    async flush() {
      clock.advance(300);
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

/** Returns the error with which a call is refused, as clients see it. */
export const readRefusal = async (
  asked: () => Promise<unknown> | Reservation | LimitedRequest,
): Promise<{
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly endsRequest: boolean;
}> => {
  try {
    await asked();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, code, message, headers = [], curable } = error.report;
    const pairs = headers.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
    );
    return { status, code, message, headers: Object.fromEntries(pairs), endsRequest: curable === false };
  }
  throw new Error('It was not refused.');
};
