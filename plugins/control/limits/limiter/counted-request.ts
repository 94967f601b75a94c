import type { JsonObject } from '../../../../schema/json.ts';
import type { UsageRecord } from '../../../../schema/usage-record.ts';
import type { Exchange } from '../../../sdk/exchange.ts';
import type { LimitedAttempt, LimitedRequest, Reservation } from '../../../sdk/limiter.ts';
import { generates } from '../../../sdk/models/generates.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { newId } from '../../store/new-id.ts';
import type { Charge, CounterState, Granted, Posting, Refused, Unavailable } from '../limits.ts';
import type { CompiledPolicies, MatchedPolicy } from './compile-policies.ts';
import { estimateUse, tokensOf } from './estimate.ts';
import { labelTexts } from './label-texts.ts';
import type { LearnedUse } from './learned-use.ts';
import type { RequestLimitFacts } from './limit-facts.ts';
import type { AttemptPrices, LimiterOptions } from './limiter-options.ts';
import { actualOf, chargeOf, nothingUsed } from './match-charges.ts';
import { refusalOf, uncounted, unmeasured, unpriced } from './refusals.ts';

/** What all requests share. */
export interface LimiterParts extends LimiterOptions {
  readonly learned: LearnedUse;
  /** Posts what no policy limits. It never throws. */
  readonly post: (posting: Posting<LedgerEntry>) => void;
}

interface RequestParts {
  readonly exchange: Exchange;
  readonly facts: RequestLimitFacts;
  readonly policies: CompiledPolicies;
}

/** What policies ask for: one charge each, in their order. */
interface MatchedCharges {
  readonly matches: readonly MatchedPolicy[];
  readonly charges: readonly Charge[];
}

/** How long an attempt may take, in milliseconds, where its request does not say. */
const usualTimeoutMs = 600_000;
/** Milliseconds beyond it, after which nothing will be heard of an attempt. */
const slackMs = 30_000;

/** A counter of requests, as it is remembered that one was counted in it. */
const counterName = ({ policy, bucket }: Pick<Charge, 'policy' | 'bucket'>): string => `${policy} ${bucket}`;

/** What a target was sent, and what it may use. */
interface Planned {
  readonly attempt: LimitedAttempt;
  readonly estimate: UsageRecord;
  /** By which it is learned what such attempts use. */
  readonly name: string;
}

interface EntryFacts {
  readonly planned?: Planned;
  readonly usage: UsageRecord;
  readonly isFirst: boolean;
  readonly isAttempt?: false;
}

/** One request, and what is counted of it. */
export class CountedRequest implements LimitedRequest {
  readonly #parts: LimiterParts;
  readonly #request: RequestParts;
  #matches: readonly MatchedPolicy[] = [];
  /** The reservation by which the request itself is counted; absent if no policy counts it. */
  #admission: { readonly id: string; readonly charges: readonly Charge[] } | undefined;
  /** The labels that were last written as texts. */
  #labels: { readonly of: JsonObject; readonly texts: LedgerEntry['metadata'] } | undefined;
  #generates: boolean | undefined;
  /** Attempts that were sent, or are about to be. */
  #sent = 0;
  /** The counters of requests that a target's policies have counted this request in. */
  readonly #counted = new Set<string>();

  constructor(parts: LimiterParts, request: RequestParts) {
    this.#parts = parts;
    this.#request = request;
  }

  /** Counts the request. Throws, or rejects with, the `GatewayError` of a limit that is reached. */
  admit(): LimitedRequest | Promise<LimitedRequest> {
    const { policies, facts } = this.#request;
    const matches = this.#judged(policies.ofRequest(facts));
    this.#matches = matches;
    if (matches.length === 0) return this;
    const charges = matches.map((match) => chargeOf(match, match.policy.unit === 'requests' ? 1 : 0));
    const matched: MatchedCharges = { matches, charges };
    const id = charges.some(({ amount }) => amount > 0) ? this.#newId() : undefined;
    const given =
      id === undefined
        ? this.#parts.limits.look(charges)
        : this.#reserve(id, charges, this.#entry({ usage: nothingUsed, isFirst: false, isAttempt: false }));
    const admitted = (answer: Granted | Refused | Unavailable): LimitedRequest => {
      this.#judge(id, matched, answer);
      if (id !== undefined) this.#admission = { id, charges };
      return this;
    };
    return given instanceof Promise ? given.then(admitted) : admitted(given);
  }

  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation> {
    const { facts, policies } = this.#request;
    facts.target = attempt;
    const ofTarget = this.#judged(policies.ofTarget(facts));
    const matches =
      ofTarget.length === 0
        ? this.#matches
        : [...this.#matches, ...ofTarget].toSorted((one, other) => one.order - other.order);
    const charged = matches.every((match) => this.#isCharged(match))
      ? matches
      : matches.filter((match) => this.#isCharged(match));
    const name = `${facts.workspace} ${attempt.provider} ${attempt.model}`;
    const estimate = estimateUse(attempt, { learned: this.#parts.learned, name });
    const planned: Planned = { attempt, estimate, name };
    if (charged.length === 0) return this.#uncharged(planned);
    const waits = charged.some(({ policy }) => policy.unit === 'nanoUsd') ? this.#parts.prices?.ready() : undefined;
    return waits === undefined
      ? this.#charged(planned, charged)
      : waits.then(
          () => this.#charged(planned, charged),
          () => this.#charged(planned, charged),
        );
  }

  end(): void {
    const admission = this.#admission;
    if (admission === undefined) return;
    this.#admission = undefined;
    const { limits } = this.#parts;
    if (this.#sent === 0) limits.release(admission.id);
    else
      limits.settle(
        admission.id,
        admission.charges,
        this.#entry({ usage: nothingUsed, isFirst: false, isAttempt: false }),
      );
  }

  /** What generates nothing uses no tokens and costs nothing, so that it is counted as a request alone. */
  #judged(matches: readonly MatchedPolicy[]): readonly MatchedPolicy[] {
    const isMeasured = ({ policy }: MatchedPolicy): boolean => policy.unit !== 'requests';
    if (!matches.some(isMeasured)) return matches;
    this.#generates ??= generates(this.#request.exchange);
    return this.#generates ? matches : matches.filter((match) => !isMeasured(match));
  }

  /** Requests of clients are counted before, and those of a target once. */
  #isCharged({ policy, bucket, isOfTarget }: MatchedPolicy): boolean {
    if (policy.unit !== 'requests') return true;
    return isOfTarget && !this.#counted.has(counterName({ policy: policy.id, bucket }));
  }

  #newId(): string {
    return newId(this.#parts.clock.wall());
  }

  #costOf({ provider, model, prices: saved }: LimitedAttempt, usage: UsageRecord): ReturnType<AttemptPrices['cost']> {
    const { prices, listedAs, clock } = this.#parts;
    return prices?.cost(usage, { provider, listedAs: listedAs(provider), model, saved, at: clock.wall() });
  }

  #priced({ attempt, estimate }: Planned): UsageRecord {
    const cost = this.#costOf(attempt, estimate);
    return cost === undefined ? estimate : { ...estimate, cost: { prices: 'estimate', ...cost } };
  }

  /**
   * Whether a request that is passed through will have a cost: the model has a price for each request, or one for tokens at an
   * endpoint whose answers tell these, as those with images do.
   */
  #isPriced(attempt: LimitedAttempt): boolean {
    const each = this.#costOf(attempt, { ...nothingUsed, model: attempt.model });
    if (each === undefined) return false;
    return each.nanoUsd > 0 || /^\/images\/(?:generations|edits)\/?(?:\?|$)/.test(this.#request.exchange.request.path);
  }

  /** What the attempt may add to a counter. Throws where that is not known, and the policy refuses what is not. */
  #amount({ policy, isOfTarget }: MatchedPolicy, { attempt, estimate }: Planned): number {
    if (policy.unit === 'requests') return 1;
    const { route, request } = this.#request.exchange;
    const isUnread = route.operation === 'opaque' && request.body.kind !== 'none';
    if (policy.ifUnknown === 'refuse' && isUnread && !(policy.unit === 'nanoUsd' && this.#isPriced(attempt)))
      throw unmeasured(policy, isOfTarget);
    if (policy.unit === 'tokens') return tokensOf(estimate);
    if (estimate.cost !== undefined) return estimate.cost.nanoUsd;
    if (policy.ifUnknown === 'refuse') throw unpriced(policy, attempt);
    return 0;
  }

  #charged(planned: Planned, matches: readonly MatchedPolicy[]): Reservation | Promise<Reservation> {
    const { limits } = this.#parts;
    const needsCost = matches.some(({ policy }) => policy.unit === 'nanoUsd');
    const estimate = needsCost ? this.#priced(planned) : planned.estimate;
    const priced = { ...planned, estimate };
    const charges = matches.map((match) => chargeOf(match, this.#amount(match, priced)));
    const isFirst = this.#sent === 0;
    const id = this.#newId();
    const given = this.#reserve(id, charges, this.#entry({ planned, usage: estimate, isFirst }));
    const reserved = (answer: Granted | Refused | Unavailable): Reservation => {
      this.#judge(id, { matches, charges }, answer);
      const states = answer.kind === 'granted' ? answer.counters : [];
      this.#sent += 1;
      for (const charge of charges) if (charge.unit === 'requests') this.#counted.add(counterName(charge));
      if (needsCost && estimate.cost === undefined) this.#parts.unknowns.add('price');
      return {
        settle: (usage) => {
          this.#learn(planned, usage);
          const actual = matches.map((match) => chargeOf(match, actualOf(match, usage)));
          limits.settle(id, actual, this.#entry({ planned, usage, isFirst }));
          if (needsCost && usage.unmeasured === true && usage.cost === undefined && estimate.cost !== undefined)
            this.#parts.unknowns.add('price');
          for (const [at, state] of states.entries()) this.#watch(matches[at], state, actual[at]?.amount);
        },
        release: () => {
          this.#sent -= 1;
          for (const charge of charges) if (charge.unit === 'requests') this.#counted.delete(counterName(charge));
          limits.release(id);
        },
      };
    };
    return given instanceof Promise ? given.then(reserved) : reserved(given);
  }

  /** An attempt that no policy covers. */
  #uncharged(planned: Planned): Reservation {
    const isFirst = this.#sent === 0;
    this.#sent += 1;
    return {
      settle: (usage) => {
        this.#learn(planned, usage);
        if (this.#parts.countsAll)
          this.#parts.post({ id: this.#newId(), charges: [], entry: this.#entry({ planned, usage, isFirst }) });
      },
      release: () => {
        this.#sent -= 1;
      },
    };
  }

  #reserve(
    id: string,
    charges: readonly Charge[],
    entry: LedgerEntry,
  ): Granted | Refused | Unavailable | Promise<Granted | Refused | Unavailable> {
    const timeoutMs = this.#request.exchange.overrides.timeoutMs ?? usualTimeoutMs;
    return this.#parts.limits.reserve(id, charges, { ttlMs: timeoutMs + slackMs, entry });
  }

  /** Throws what keeps a request, or an attempt, from going on. A look has no id. */
  #judge(id: string | undefined, { matches, charges }: MatchedCharges, answer: Granted | Refused | Unavailable): void {
    const { limits, clock, unknowns } = this.#parts;
    if (answer.kind === 'unavailable') {
      const refusing = matches.find(({ policy }) => policy.ifUnknown === 'refuse');
      if (refusing === undefined) {
        unknowns.add('counter');
        return;
      }
      // The counters may have taken it, and answered too late.
      if (id !== undefined) limits.release(id);
      throw uncounted(refusing.policy, refusing.isOfTarget);
    }
    if (answer.kind === 'granted') {
      for (const [at, state] of answer.counters.entries()) this.#watch(matches[at], state);
      return;
    }
    const { counter } = answer;
    const ofPolicy = charges.findIndex(({ policy }) => policy === counter.policy);
    const ofBucket = charges.findIndex(({ policy, bucket }) => policy === counter.policy && bucket === counter.bucket);
    const full = matches[ofBucket === -1 ? ofPolicy : ofBucket];
    if (full === undefined) throw new Error(`The counters refused a charge of ${counter.policy}, which was not made.`);
    this.#watch(full, counter);
    throw refusalOf(full, { counter, now: clock.wall() });
  }

  /** Tells how full a counter is, with what was added since. */
  #watch(match: MatchedPolicy | undefined, { used, resetsAt }: CounterState, added = 0): void {
    if (match?.isWatched !== true) return;
    const { policy, bucket } = match;
    const { workspace, organisation } = this.#request.facts;
    const at = this.#parts.clock.wall();
    this.#parts.watch({
      ...{ policy, bucket, workspace, organisation, used: used + added, at },
      ...(resetsAt === undefined ? {} : { resetsAt }),
    });
  }

  #learn({ attempt: { bodyBytes }, name }: Planned, { kind, input, output }: UsageRecord): void {
    if (kind === 'reported') this.#parts.learned.see(name, { bodyBytes, input: input.total, output: output.total });
  }

  /** The labels as texts. A request has the same ones at all of its attempts, unless a prompt adds one. */
  #textsOf(metadata: JsonObject): LedgerEntry['metadata'] {
    if (this.#labels?.of === metadata) return this.#labels.texts;
    const texts = labelTexts(metadata);
    this.#labels = { of: metadata, texts };
    return texts;
  }

  #entry({ planned, usage, isFirst, isAttempt }: EntryFacts): LedgerEntry {
    const { exchange, facts } = this.#request;
    const attempt = planned?.attempt;
    return {
      at: this.#parts.clock.wall(),
      trace: exchange.traceId,
      organisation: facts.organisation,
      workspace: facts.workspace,
      key: facts.key,
      config: facts.config,
      prompt: facts.prompt,
      provider: attempt?.provider ?? '',
      slug: attempt?.slug,
      model: attempt?.model ?? '',
      metadata: this.#textsOf(facts.metadata),
      isFirst,
      isAttempt,
      usage,
    };
  }
}
