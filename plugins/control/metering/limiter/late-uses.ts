import type { JsonObject } from '../../../../schema/json/json.ts';
import type { SavedPrices } from '../../../../schema/usage/model-price.ts';
import { plausibleCost, type UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Charge, LateCharges } from '../counters/limits.ts';
import type { LedgerEntry, Posting } from '../ledger/posting.ts';
import type { CompiledPolicies } from './compile-policies.ts';
import { labelTexts } from './label-texts.ts';
import type { LimitFacts } from './limit-facts.ts';
import { type MatchedPolicy, maxAmount, nothingUsed, toActualAmount, toCharge } from './matched-policies.ts';
import { findCost, type LimiterOptions } from './request-attempts.ts';

/** The caller that a late use is charged to, and its provider. */
export interface LateCaller extends Pick<LedgerEntry, 'organisation' | 'workspace' | 'key'> {
  readonly metadata: JsonObject;
  /** The ids of the keys whose limits its key shares. */
  readonly sharesLimitsOf?: readonly string[] | undefined;
  /** The kind of endpoint, as policies name it. */
  readonly endpointType: string;
  /** The provider's id. */
  readonly provider: string;
  /** The slug of the saved provider or virtual key. */
  readonly slug: string;
  /** The prices of the saved provider. */
  readonly prices?: SavedPrices | undefined;
}

/** The usage of one attempt, without its cost. */
export interface LateUse {
  /** The ledger stores each id once. */
  readonly id: string;
  readonly trace: string;
  /** The requested model; empty if unknown. */
  readonly model: string;
  readonly usage: UsageRecord;
}

export interface BookedUse {
  /** The usage with its cost, if the price is known. */
  readonly usage: UsageRecord;
  /** The posting for the ledger, without charges; absent if neither a limit covers it nor all attempts are counted. */
  readonly posting?: Posting<LedgerEntry>;
}

type LateUseParts = Omit<LimiterOptions, 'unknowns' | 'postings'>;

interface Summed {
  readonly match: MatchedPolicy;
  amount: number;
}

/** Divides a sum into charges, because it may exceed the maximum of one charge. */
const inCharges = ({ match, amount }: Summed): readonly Charge[] =>
  Array.from({ length: Math.max(1, Math.ceil(amount / maxAmount)) }, (_, at) =>
    toCharge(match, amount - at * maxAmount),
  );

/** The maximum number of models whose policies are cached. A file may name as many models as it has lines. */
const maxModels = 1000;

/** Sums usage that is reported to the limiter after its requests have ended, for one caller and provider. */
class LateUses {
  readonly #parts: LateUseParts;
  readonly #caller: LateCaller;
  readonly #policies: CompiledPolicies | undefined;
  readonly #metadata: LedgerEntry['metadata'];
  readonly #matched = new Map<string, readonly MatchedPolicy[]>();
  readonly #sums = new Map<string, Summed>();

  constructor(parts: LateUseParts, caller: LateCaller) {
    this.#parts = parts;
    this.#caller = caller;
    this.#policies = parts.findPolicies(caller.workspace, caller.organisation);
    this.#metadata = labelTexts(caller.metadata);
  }

  add(use: LateUse): BookedUse {
    const usage = this.#priced(use);
    const model = use.model === '' ? usage.model : use.model;
    const matches = this.#toMatches(model);
    for (const match of matches) {
      const name = JSON.stringify([match.policy.id, match.bucket]);
      const sum = this.#sums.get(name) ?? { match, amount: 0 };
      sum.amount += Math.min(toActualAmount(match, usage), maxAmount);
      this.#sums.set(name, sum);
    }
    if (matches.length === 0 && !this.#parts.countsAll) return { usage };
    const entry = this.#toEntry({ trace: use.trace, model, isFirst: true, usage });
    return { usage, posting: { id: use.id, charges: [], entry } };
  }

  /** Charges the sum of what was added, like `Limits.charge`. */
  async charge(id: string): Promise<LateCharges> {
    const charges = [...this.#sums.values()].flatMap(inCharges);
    if (charges.length === 0) return { posted: [], onStored: () => {} };
    const entry = this.#toEntry({ trace: id, model: '', isFirst: false, isAttempt: false, usage: nothingUsed });
    const { posted, onStored } = await this.#parts.limits.charge(id, charges, entry);
    return {
      posted,
      onStored: () => {
        onStored();
        // A counter that cannot be reported now is reported by the next request.
        void this.#report().catch(() => {});
      },
    };
  }

  #toMatches(model: string): readonly MatchedPolicy[] {
    const known = this.#matched.get(model);
    if (known !== undefined || this.#policies === undefined) return known ?? [];
    const { provider, slug } = this.#caller;
    const facts: LimitFacts = { ...this.#caller, target: { provider, slug, model } };
    const found = [...this.#policies.ofRequest(facts).all, ...this.#policies.ofTarget(facts).all];
    if (this.#matched.size < maxModels) this.#matched.set(model, found);
    return found;
  }

  #priced({ model, usage }: LateUse): UsageRecord {
    const { provider, prices } = this.#caller;
    const cost = usage.kind === 'none' ? undefined : findCost(this.#parts, { provider, model, prices }, usage);
    return cost === undefined ? usage : { ...usage, cost: plausibleCost(cost) };
  }

  #toEntry(facts: Pick<LedgerEntry, 'trace' | 'model' | 'isFirst' | 'isAttempt' | 'usage'>): LedgerEntry {
    const { organisation, workspace, key, provider, slug } = this.#caller;
    const at = this.#parts.clock.wall();
    return { at, organisation, workspace, key, provider, slug, metadata: this.#metadata, ...facts };
  }

  /** Reports the counters that have reached an alert or a limit. */
  async #report(): Promise<void> {
    const { limits, watch, clock } = this.#parts;
    const { organisation, workspace } = this.#caller;
    const watched = [...this.#sums.values()]
      .map(({ match }) => match)
      .filter((match) => Number.isFinite(match.minReportedAmount));
    const states = watched.length === 0 ? [] : await limits.read(watched.map((match) => toCharge(match, 0)));
    for (const [at, { policy, bucket }] of watched.entries()) {
      const state = states[at];
      if (state !== undefined)
        watch.see({
          policy,
          bucket,
          organisation,
          workspace,
          used: state.used,
          at: clock.wall(),
          resetsAt: state.resetsAt,
        });
    }
  }
}

/** Starts a sum. Rejects if prices cannot be loaded. */
export type OpenLateUses = (caller: LateCaller) => Promise<LateUses>;

/**
 * Charges usage that is known only after a provider has run the requests, such as the lines of its batches. No limit can refuse
 * them any more.
 */
export const createLateUses =
  (parts: LateUseParts): OpenLateUses =>
  async (caller) => {
    await parts.prices?.ready();
    return new LateUses(parts, caller);
  };
