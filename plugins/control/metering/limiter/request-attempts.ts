import type { Cost, UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { LimitedAttempt, Reservation } from '../../../sdk/control-plane/limiter.ts';
import { type LearnedUse, toTokens } from '../../../sdk/models/learned-use.ts';
import { hasUnknownUsage, isPricedUnread } from '../../../sdk/models/unread-use.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Charge, CounterState, Limits, ReserveOptions } from '../counters/limits.ts';
import { plainText } from '../ledger/ledger-record.ts';
import type { LedgerEntry, PostedCharge, TakenPostings } from '../ledger/posting.ts';
import type { PoliciesOf } from './compile-policies.ts';
import { labelTexts } from './label-texts.ts';
import type { RequestLimitFacts } from './limit-facts.ts';
import { type MatchedPolicies, type MatchedPolicy, nothingUsed, toCharge, toCharges } from './matched-policies.ts';
import type { ReachedWatch, UnknownsReport } from './notify-reached.ts';
import { unmeasuredRefusal, unpricedRefusal } from './refusals.ts';

/** The prices of attempts, as the data path knows them. */
export interface AttemptPrices {
  /** Resolves when prices are available; returns undefined if they are already. */
  ready(): Promise<void> | undefined;
  /** Returns the cost; undefined for a model without a known price. */
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
  /** Receives the postings of attempts that no policy limits. */
  readonly postings: Pick<TakenPostings<LedgerEntry>, 'take'>;
  readonly prices?: AttemptPrices | undefined;
  /** Returns the name of a provider in public price lists. */
  readonly listedAs: (provider: string) => string;
  readonly clock: Clock;
  readonly unknowns: UnknownsReport;
  /** Receives how full counters are. */
  readonly watch: ReachedWatch;
}

/** Computes the cost of a usage; returns undefined for a model without a known price. */
export const findCost = (
  { prices, listedAs, clock }: Pick<LimiterOptions, 'prices' | 'listedAs' | 'clock'>,
  {
    provider,
    model,
    prices: saved,
  }: Pick<LimitedAttempt, 'provider' | 'model'> & { readonly prices?: LimitedAttempt['prices'] | undefined },
  usage: UsageRecord,
): Cost | undefined => prices?.cost(usage, { provider, listedAs: listedAs(provider), model, saved, at: clock.wall() });

/** The parts that all requests share. */
export interface LimiterParts extends LimiterOptions {
  readonly learned: LearnedUse;
}

/** The members of a ledger entry that differ between the entries of a request. */
interface EntryFacts {
  /** Absent for the request itself. */
  readonly attempt?: LimitedAttempt;
  readonly usage: UsageRecord;
  readonly isFirst: boolean;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** Shortens the name of the model that answered, because the upstream chooses it. */
const withPlainModel = (usage: UsageRecord): UsageRecord => {
  const model = plainText(usage.model);
  return model === usage.model ? usage : { ...usage, model };
};

/** Creates the ledger's entry for an attempt of a request, or for the request itself. */
export const toEntry = (facts: RequestLimitFacts, { attempt, usage, isFirst, at }: EntryFacts): LedgerEntry => ({
  at,
  trace: facts.exchange.traceId,
  organisation: facts.organisation,
  workspace: facts.workspace,
  key: facts.key,
  config: facts.config,
  prompt: facts.promptOf(attempt),
  provider: attempt?.provider ?? '',
  slug: attempt?.slug,
  model: plainText(attempt?.model ?? ''),
  metadata: labelTexts(facts.metadataOf(attempt)),
  isFirst,
  isAttempt: attempt === undefined ? false : undefined,
  usage: withPlainModel(usage),
});

/** The request of an attempt. */
export interface AttemptedRequest {
  readonly parts: LimiterParts;
  readonly facts: RequestLimitFacts;
  /** How many milliseconds after which an attempt is no longer expected to report anything. */
  readonly ttlMs: number;
  /** Reports how full counters are, including amounts that were added since. */
  watchAll(matched: MatchedPolicies, states: readonly CounterState[], added?: readonly Charge[]): void;
  /** Whether an attempt whose usage is known is the first such attempt of the request. */
  isFirst(attempt: Reservation): boolean;
  /**
   * Handles an attempt that was not sent. Returns the limits that continue to count the request by it, because another attempt
   * that was sent was not charged to them for that reason. Returns undefined if there are none, so that everything charged is
   * returned.
   */
  withdraw(matched?: MatchedPolicies): ReadonlySet<MatchedPolicy> | undefined;
  /** Returns the ledger's entry for the request itself. */
  ownEntry(at: number): LedgerEntry;
}

/** An attempt before it is sent. */
interface PlannedAttempt {
  readonly attempt: LimitedAttempt;
  /** The name by which the usage of such attempts is learned. */
  readonly name: string;
}

const noCharges: readonly PostedCharge[] = [];

/** An attempt that no policy covers. */
export class UnlimitedAttempt implements Reservation {
  readonly #request: AttemptedRequest;
  readonly #planned: PlannedAttempt;

  constructor(request: AttemptedRequest, planned: PlannedAttempt) {
    this.#request = request;
    this.#planned = planned;
  }

  settle(usage: UsageRecord): void {
    const { parts } = this.#request;
    const { attempt, name } = this.#planned;
    const isFirst = this.#request.isFirst(this);
    parts.learned.learn(name, attempt, usage);
    if (!parts.countsAll) return;
    const at = parts.clock.wall();
    const entry = toEntry(this.#request.facts, { attempt, usage, isFirst, at });
    parts.postings.take({ id: newId(at), charges: noCharges, entry });
  }

  release(): void {
    this.#request.withdraw();
  }
}

/** An attempt with its charges, and the reasons for them. */
interface PlannedCharge extends PlannedAttempt {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Whether no attempt of its request was sent before. */
  readonly isFirst: boolean;
  readonly matched: MatchedPolicies;
  /** The estimate of its usage, with its cost if a policy needs it and it is known. */
  readonly estimate: UsageRecord;
}

const noStates: readonly CounterState[] = [];

/** An attempt that policies cover: what it holds in counters, and how that is settled. */
export class ChargedAttempt implements Reservation, ReserveOptions<LedgerEntry> {
  readonly id: string;
  readonly planned: PlannedCharge;
  readonly #request: AttemptedRequest;
  /** How full the counters were, if that may be reported to the operator. */
  states: readonly CounterState[] = noStates;

  constructor(request: AttemptedRequest, planned: PlannedCharge) {
    this.id = newId(planned.at);
    this.planned = planned;
    this.#request = request;
  }

  get ttlMs(): number {
    return this.#request.ttlMs;
  }

  /** The estimate at the time of the reservation. */
  get entry(): LedgerEntry {
    const { attempt, estimate, isFirst, at } = this.planned;
    return toEntry(this.#request.facts, { attempt, usage: estimate, isFirst, at });
  }

  settle(usage: UsageRecord): void {
    const { parts } = this.#request;
    const { attempt, name, matched } = this.planned;
    const isFirst = this.#request.isFirst(this);
    parts.learned.learn(name, attempt, usage);
    const actual = toCharges(matched.all, usage);
    parts.limits.settle(
      this.id,
      actual,
      toEntry(this.#request.facts, { attempt, usage, isFirst, at: parts.clock.wall() }),
    );
    // An attempt that used nothing, for example because it reached nobody, costs nothing, whatever the model.
    const usesSomething = usage.kind !== 'none' || usage.unmeasured === true;
    if (matched.needsCost && usesSomething && usage.cost === undefined) parts.unknowns.add('price');
    this.#request.watchAll(matched, this.states, actual);
  }

  release(): void {
    const { limits, clock } = this.#request.parts;
    const { matched } = this.planned;
    const counting = this.#request.withdraw(matched);
    if (counting === undefined) limits.release(this.id);
    else {
      const charges = matched.all.map((match) => toCharge(match, counting.has(match) ? 1 : 0));
      limits.settle(this.id, charges, this.#request.ownEntry(clock.wall()));
    }
  }

  /** Returns the amount that it may add to a counter. Throws if that is unknown and the policy refuses unknown amounts. */
  toAmount({ policy, isOfTarget }: MatchedPolicy): number {
    if (policy.unit === 'requests') return 1;
    const { attempt, estimate } = this.planned;
    const isUnknown = policy.ifUnknown === 'refuse' && hasUnknownUsage(this.#request.facts.exchange, attempt);
    if (isUnknown && !(policy.unit === 'nanoUsd' && this.#isPriced())) throw unmeasuredRefusal(policy, isOfTarget);
    if (policy.unit === 'tokens') return toTokens(estimate);
    if (estimate.cost !== undefined) return estimate.cost.nanoUsd;
    if (policy.ifUnknown === 'refuse') throw unpricedRefusal(policy, attempt);
    return 0;
  }

  #isPriced(): boolean {
    const { parts, facts } = this.#request;
    const { attempt } = this.planned;
    return isPricedUnread(facts.exchange, findCost(parts, attempt, { ...nothingUsed, model: attempt.model }));
  }
}
