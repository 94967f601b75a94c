import type { Clock } from '../../../sdk/clock.ts';
import type { Limiter } from '../../../sdk/control-plane/limiter.ts';
import type { LimitReached } from '../../../sdk/hooks/limit-reached.ts';
import { within } from '../../../sdk/time/within.ts';
import type { AuditLog } from '../../access/audit/audit-log.ts';
import type { CounterReader } from '../../kernel/limits/counter-reader.ts';
import type { LimitPolicy, PolicyView } from '../../kernel/limits/limit-policy.ts';
import type { Store } from '../../kernel/store/store.ts';
import { countersName } from '../counters/counters-name.ts';
import type { CounterSum, Limits } from '../counters/limits.ts';
import { memoryLimits } from '../counters/memory-limits.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import type { LedgerEntry } from '../ledger/record/entry.ts';
import type { Postings } from '../ledger/record/posting.ts';
import { readEntry } from '../ledger/record/read-entry.ts';
import { readLimits } from '../policies/read-limits.ts';
import { createCounterReader } from './create-counter-reader.ts';
import { createLimiter } from './create-limiter.ts';
import { createLateUses, type OpenLateUses } from './late-uses.ts';
import type { AttemptPrices } from './limiter-options.ts';
import { createPolicyFinder } from './matching/policies-of.ts';
import { watchReached } from './matching/reached-limits.ts';
import { notifyReached } from './notify-reached.ts';
import { reportUnknowns } from './report-unknowns.ts';

export interface OpenLimitsOptions {
  readonly store: Store;
  readonly policies: PolicyView;
  readonly ledger: Ledger;
  readonly audit: Pick<AuditLog, 'write'>;
  /** Whether attempts that no limit covers are counted, too. */
  readonly countsAll: boolean;
  /** A Redis in which all processes of the store count together. */
  readonly redisUrl?: string | undefined;
  readonly prices?: AttemptPrices | undefined;
  /** The name of a provider in public price lists. */
  readonly listedAs: (provider: string) => string;
  /** Tells plugins of a limit that was reached. */
  readonly notify: (reached: LimitReached) => void;
  readonly clock: Clock;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
}

/** Limits and the ledger, as a process has them. */
export interface OpenedLimits {
  readonly limiter: Limiter;
  /** For what is known of only after it was used. */
  readonly lateUses: OpenLateUses;
  readonly counters: CounterReader;
  /** Whether the counters cannot be asked at the moment. */
  isUnavailable(): boolean;
  /**
   * Resolves when what requests have used so far outlasts this process: it is in the ledger, or on its way there in Redis.
   * While the store is unavailable it waits. It never rejects.
   */
  kept(): Promise<void>;
  /** Posts what is reserved and settled to the ledger. */
  close(): Promise<void>;
}

/** Milliseconds. */
const longestPostMs = 3000;

type OpenCounters = Pick<OpenLimitsOptions, 'store' | 'clock' | 'say' | 'redisUrl'> & { readonly ledger: Ledger };

/** What the ledger has of the counters of policies that are in force. */
const startingSums = async ({
  store,
  ledger,
}: Pick<OpenCounters, 'store' | 'ledger'>): Promise<readonly CounterSum[]> => {
  const [sums, limits] = await Promise.all([ledger.sums(), readLimits(store.db)]);
  const policies = new Map([...limits.values()].flat().map((policy): [string, LimitPolicy] => [policy.id, policy]));
  return sums.flatMap(({ policy: id, bucket, unit, window, amount }) => {
    const policy = policies.get(id);
    return policy?.unit === unit ? [{ policy: id, bucket, reset: policy.reset, window, used: amount }] : [];
  });
};

/** Counters that start from the sums of the ledger: in a Redis, or in this process. */
const openCounters = async ({ store, clock, say, redisUrl, ledger }: OpenCounters): Promise<Limits<LedgerEntry>> => {
  const sums = (): Promise<readonly CounterSum[]> => startingSums({ store, ledger });
  if (redisUrl !== undefined) {
    const { openRedisLimits } = await import('../counters/redis/open-redis-limits.ts');
    const namespace = await countersName(store, clock.wall());
    // Postings that the store does not take wait in Redis, and hold up nothing else: the same ones may be posted again.
    const postings: Postings<LedgerEntry> = {
      post: async (some) => within(clock, longestPostMs, Promise.resolve(ledger.committed.post(some))),
    };
    return openRedisLimits({ url: redisUrl, namespace, clock, postings, readEntry, sums, say });
  }
  const memory = memoryLimits<LedgerEntry>({ clock, postings: ledger.behind });
  memory.load(await sums());
  if (store.kind === 'postgres')
    say(
      'gw: Each process that uses this store counts limits alone, so that several of them together let through more. Name a Redis as "store.limits.url" in the gateway file, and they count together.\n',
    );
  return memory;
};

/** Opens the counters, the ledger that they post to, and the limiter that asks them. Rejects with a `StoreError`. */
export const openLimits = async (options: OpenLimitsOptions): Promise<OpenedLimits> => {
  const { store, policies, ledger, audit, countsAll, redisUrl, prices, listedAs, notify, clock, say } = options;
  const limits = await openCounters({
    ...{ store, clock, say, ledger },
    redisUrl,
  });
  const unknowns = reportUnknowns(clock, say);
  const shared = {
    ...{ limits, listedAs, clock, countsAll, findPolicies: createPolicyFinder(policies) },
    watch: watchReached(notifyReached({ audit, say, notify })),
    prices,
  };
  return {
    limiter: createLimiter({ ...shared, unknowns, postings: ledger.behind }),
    lateUses: createLateUses(shared),
    counters: createCounterReader({ store, limits, ledger, now: () => clock.wall() }),
    isUnavailable: () => limits.isUnavailable?.() ?? false,
    async kept() {
      await Promise.all([limits.settled?.(), ledger.written()]);
    },
    async close() {
      unknowns.close();
      await limits.close();
    },
  };
};
