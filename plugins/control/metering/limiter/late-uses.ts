import type { JsonObject } from '../../../../schema/json/json.ts';
import type { SavedPrices } from '../../../../schema/usage/model-price.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Charge, LateCharges } from '../counters/limits.ts';
import type { LedgerEntry, Posting } from '../ledger/record/posting.ts';
import type { PoliciesOf } from './matching/compile-policies.ts';
import type { LimitFacts } from './matching/limit-facts.ts';
import { type MatchedPolicy, maxAmount, nothingUsed, toActualAmount, toCharge } from './matching/matched-policies.ts';
import type { ReachedWatch } from './notify-reached.ts';
import { type LimiterOptions, labelTexts } from './request-attempts.ts';

/** The caller that a late use is charged to, and its provider. */
export interface LateCaller extends Pick<LedgerEntry, 'organisation' | 'workspace' | 'key'> {
  readonly metadata: JsonObject;
  /** The ids of the keys whose limits its key shares. */
  readonly sharesLimitsOf?: readonly string[] | undefined;
  /** As policies name it. */
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
  /** The ledger keeps each once. */
  readonly id: string;
  readonly trace: string;
  /** The model that was requested; empty if that is not known. */
  readonly model: string;
  readonly usage: UsageRecord;
}

export interface BookedUse {
  /** With its cost, where its price is known. */
  readonly usage: UsageRecord;
  /** For the ledger, without charges; absent if neither a limit covers it nor all attempts are counted. */
  readonly posting?: Posting<LedgerEntry>;
}

/** Usage that is reported to the limiter after the request has ended. */
export interface LateUses {
  add(use: LateUse): BookedUse;
  /** Charges the sum of what was added, as `Limits.charge` does. */
  charge(id: string): Promise<LateCharges>;
}

/** Begins a sum. Rejects if prices cannot be loaded. */
export type OpenLateUses = (caller: LateCaller) => Promise<LateUses>;

export interface LateUseOptions extends Pick<LimiterOptions, 'limits' | 'countsAll' | 'prices' | 'listedAs' | 'clock'> {
  readonly findPolicies: PoliciesOf;
  readonly watch: Pick<ReachedWatch, 'see'>;
}

interface Summed {
  readonly match: MatchedPolicy;
  amount: number;
}

/** A sum may be more than one charge can be. */
const inCharges = ({ match, amount }: Summed): readonly Charge[] =>
  Array.from({ length: Math.max(1, Math.ceil(amount / maxAmount)) }, (_, at) =>
    toCharge(match, amount - at * maxAmount),
  );

/** Models of which it is remembered which policies cover them: a file may name as many as it has lines. */
const maxModels = 1000;

/**
 * Charges what is known of requests only when a provider has run them, as the lines of its batches. No limit refuses
 * them any more.
 */
export const createLateUses = (options: LateUseOptions): OpenLateUses => {
  const { findPolicies, limits, countsAll, prices, listedAs, clock, watch } = options;

  return async (caller) => {
    await prices?.ready();
    const { organisation, workspace, key, sharesLimitsOf, provider, slug, endpointType } = caller;
    const policies = findPolicies(workspace, organisation);
    const metadata = labelTexts(caller.metadata);
    const matched = new Map<string, readonly MatchedPolicy[]>();
    const sums = new Map<string, Summed>();

    const toMatches = (model: string): readonly MatchedPolicy[] => {
      const known = matched.get(model);
      if (known !== undefined || policies === undefined) return known ?? [];
      const target = { provider, slug, model };
      const facts: LimitFacts = {
        ...{ workspace, organisation, metadata, endpointType, target, sharesLimitsOf },
        ...(key === undefined ? {} : { key }),
      };
      const found = [...policies.ofRequest(facts).all, ...policies.ofTarget(facts).all];
      if (matched.size < maxModels) matched.set(model, found);
      return found;
    };

    const priced = ({ model, usage }: LateUse): UsageRecord => {
      if (usage.kind === 'none') return usage;
      const call = { provider, listedAs: listedAs(provider), model, saved: caller.prices, at: clock.wall() };
      const cost = prices?.cost(usage, call);
      return cost === undefined ? usage : { ...usage, cost };
    };

    const addTo = (match: MatchedPolicy, amount: number): void => {
      const name = JSON.stringify([match.policy.id, match.bucket]);
      const sum = sums.get(name) ?? { match, amount: 0 };
      sum.amount += Math.min(amount, maxAmount);
      sums.set(name, sum);
    };

    const toEntry = (facts: Pick<LedgerEntry, 'trace' | 'model' | 'isFirst' | 'isAttempt' | 'usage'>): LedgerEntry => ({
      ...{ at: clock.wall(), organisation, workspace, key, provider, slug, metadata },
      ...facts,
    });

    /** Reports the counters that have reached something. */
    const report = async (): Promise<void> => {
      const watched = [...sums.values()]
        .map(({ match }) => match)
        .filter((match) => Number.isFinite(match.watchedFrom));
      const places = watched.map((match) => toCharge(match, 0));
      const states = places.length === 0 ? [] : await limits.read(places);
      for (const [at, { used, resetsAt }] of states.entries()) {
        const { policy, bucket } = watched[at] ?? {};
        if (policy === undefined || bucket === undefined) continue;
        const until = resetsAt === undefined ? {} : { resetsAt };
        watch.see({ policy, bucket, organisation, workspace, used, at: clock.wall(), ...until });
      }
    };

    return {
      add(use) {
        const usage = priced(use);
        const model = use.model === '' ? usage.model : use.model;
        const matches = toMatches(model);
        for (const match of matches) addTo(match, toActualAmount(match, usage));
        if (matches.length === 0 && !countsAll) return { usage };
        const entry = toEntry({ trace: use.trace, model, isFirst: true, usage });
        return { usage, posting: { id: use.id, charges: [], entry } };
      },
      async charge(id) {
        const charges = [...sums.values()].flatMap(inCharges);
        if (charges.length === 0) return { posted: [], made: () => {} };
        const entry = toEntry({ trace: id, model: '', isFirst: false, isAttempt: false, usage: nothingUsed });
        const { posted, made } = await limits.charge(id, charges, entry);
        return {
          posted,
          made() {
            made();
            // A counter that cannot be reported now is reported by the next request.
            void report().catch(() => {});
          },
        };
      },
    };
  };
};
