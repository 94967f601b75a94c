import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { Limiter } from '../../../sdk/control-plane/limiter.ts';
import type { LimitReached } from '../../../sdk/hooks/limit-reached.ts';
import type { AuditLog } from '../../access/audit/audit-log.ts';
import type { CounterReader, PolicyView } from '../../kernel/limits/limit-policy.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { CounterSum, Limits } from '../counters/limits.ts';
import { MemoryLimits } from '../counters/memory-limits.ts';
import type { OwnedCountersAsker } from '../counters/open-owned-limits.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import { type LedgerEntry, readEntry } from '../ledger/posting.ts';
import { createPolicyFinder } from './compile-policies.ts';
import { createLimiter } from './counted-request.ts';
import { LedgerCounterReader } from './create-counter-reader.ts';
import { createLateUses, type OpenLateUses } from './late-uses.ts';
import { notifyReached, ReachedWatch, UnknownsReport } from './notify-reached.ts';
import type { AttemptPrices } from './request-attempts.ts';
import { startingSums } from './starting-sums.ts';

const setting = 'limits-counters';

/**
 * Returns the name of a store's counters in a Redis that several stores may share. It is the same for all processes of the store.
 */
const countersName = (store: Pick<Store, 'write'>, now: number): Promise<string> =>
  store.write(async (writing) => {
    await writing
      .insertInto('settings')
      .values({ name: setting, value: JSON.stringify(newId(now)) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { value } = await writing
      .selectFrom('settings')
      .select('value')
      .where('name', '=', setting)
      .executeTakeFirstOrThrow();
    const name: unknown = fromJson(value);
    if (typeof name !== 'string') throw new Error(`The setting "${setting}" of the store is not a text.`);
    return name;
  });

interface OpenLimitsOptions {
  readonly store: Store;
  readonly policies: PolicyView;
  readonly ledger: Ledger;
  readonly audit: Pick<AuditLog, 'write'>;
  /** Whether attempts that no limit covers are counted, too. */
  readonly countsAll: boolean;
  /** The URL of a Redis in which all processes of the store count together. */
  readonly redisUrl?: string | undefined;
  /** The counters of the process that owns this worker, which are used if there is no Redis. */
  readonly owned?: OwnedCountersAsker | undefined;
  readonly prices?: AttemptPrices | undefined;
  /** Returns the name of a provider in public price lists. */
  readonly listedAs: (provider: string) => string;
  /** Returns the id of the provider with a name. */
  readonly toProviderId: (provider: string) => string;
  /** Notifies plugins of a limit that was reached. */
  readonly notify: (reached: LimitReached) => void;
  readonly clock: Clock;
  /** Notifies the operator. */
  readonly say: (text: string) => void;
}

/** The limits and the ledger of a process. */
interface OpenedLimits {
  readonly limiter: Limiter;
  /** For usage that is known only afterwards. */
  readonly lateUses: OpenLateUses;
  readonly counters: CounterReader;
  /** Whether the counters cannot be queried at the moment. */
  isUnavailable(): boolean;
  /**
   * Resolves when the usage of requests so far survives the end of this process: it is in the ledger, or on its way there in
   * Redis. While the store is unavailable it waits. Never rejects.
   */
  kept(): Promise<void>;
  /** Posts reserved and settled amounts to the ledger. */
  close(): Promise<void>;
}

/** Opens counters that start from the sums of the ledger: in a Redis, in the process that owns this one, or in this process. */
const openCounters = async (options: OpenLimitsOptions): Promise<Limits<LedgerEntry>> => {
  const { store, clock, say, redisUrl, ledger, owned } = options;
  const sums = (): Promise<readonly CounterSum[]> => startingSums({ store, ledger, now: clock.wall() });
  if (redisUrl !== undefined) {
    const { openRedisLimits } = await import('../counters/redis/open-redis-limits.ts');
    const { linesWriter } = await import('../counters/redis/posting-texts.ts');
    const namespace = await countersName(store, clock.wall());
    const { createEntryWriter } = await import('../ledger/entry-texts.ts');
    const texts = {
      writeLines: linesWriter(store),
      postings: ledger.committed,
      readEntry,
      writeEntry: createEntryWriter(),
    };
    return openRedisLimits({ url: redisUrl, namespace, clock, ...texts, sums, say });
  }
  if (owned !== undefined) {
    const { openOwnedLimits } = await import('../counters/open-owned-limits.ts');
    const { createEntryWriter } = await import('../ledger/entry-texts.ts');
    return openOwnedLimits({ counters: owned, clock, say, writeEntry: createEntryWriter() });
  }
  const memory = new MemoryLimits<LedgerEntry>({ clock, postings: ledger.behind });
  memory.load(await sums());
  if (store.kind === 'postgres')
    say(
      'gw: Each process that uses this store counts limits by itself, so several processes together let more through. To share the counters, set "store.limits.url" in the gateway file to a Redis.\n',
    );
  return memory;
};

/** Opens the counters, the ledger that they post to, and the limiter that queries them. Rejects with a `StoreError`. */
export const openLimits = async (options: OpenLimitsOptions): Promise<OpenedLimits> => {
  const { store, policies, ledger, clock, say } = options;
  const limits = await openCounters(options);
  const unknowns = new UnknownsReport(clock, say);
  const findPolicies = createPolicyFinder(policies, options.toProviderId);
  const parts = { ...options, limits, findPolicies, watch: new ReachedWatch(notifyReached(options)) };
  return {
    limiter: createLimiter({ ...parts, unknowns, postings: ledger.behind }),
    lateUses: createLateUses(parts),
    counters: new LedgerCounterReader({ store, limits, ledger, now: () => clock.wall() }),
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
