import type { JsonObject } from '../../../../schema/json.ts';
import type { UsageRecord } from '../../../../schema/usage-record.ts';
import type { Exchange } from '../../../sdk/exchange.ts';
import type { LimitedAttempt, LimitedRequest, Reservation } from '../../../sdk/limiter.ts';
import { generates } from '../../../sdk/models/generates.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { newId } from '../../store/new-id.ts';
import type { Charge, CounterState, Granted, Refused, ReserveOptions, Unavailable } from '../limits.ts';
import type { CompiledPolicies } from './compile-policies.ts';
import { estimateUse, tokensOf } from './estimate.ts';
import { labelTexts } from './label-texts.ts';
import type { RequestLimitFacts } from './limit-facts.ts';
import type { AttemptPrices, LimiterParts } from './limiter-options.ts';
import { chargeOf, nothingUsed } from './match-charges.ts';
import { type MatchedPolicies, noPolicies } from './matched-policies.ts';
import type { MatchedPolicy } from './matched-policy.ts';
import { refusalOf, uncounted, unmeasured, unpriced } from './refusals.ts';
import { type AttemptedRequest, ChargedAttempt, type EntryFacts, FreeAttempt } from './request-attempts.ts';

interface RequestParts {
  readonly exchange: Exchange;
  readonly facts: RequestLimitFacts;
  readonly policies: CompiledPolicies;
}

type Answer = Granted | Refused | Unavailable;

/** How long an attempt may take, in milliseconds, where its request does not say. */
const usualTimeoutMs = 600_000;
/** Milliseconds beyond it, after which nothing will be heard of an attempt. */
const slackMs = 30_000;

/** A counter of requests, as it is remembered that one was counted in it. */
const counterName = ({ policy, bucket }: MatchedPolicy): string => `${policy.id} ${bucket}`;

/** One request, and what is counted of it. */
export class CountedRequest implements LimitedRequest, AttemptedRequest, ReserveOptions<LedgerEntry> {
  readonly parts: LimiterParts;
  readonly #exchange: Exchange;
  readonly #facts: RequestLimitFacts;
  readonly #policies: CompiledPolicies;
  /** Those that are decided before a target is chosen. */
  #matched: MatchedPolicies = noPolicies;
  /** The reservation by which the request itself is counted; absent if no policy counts it. */
  #admission: string | undefined;
  #admittedAt = 0;
  /** The labels that were last written as texts. */
  #labels: JsonObject | undefined;
  #texts: LedgerEntry['metadata'] = {};
  #generates: boolean | undefined;
  /** Attempts that were sent, or are about to be. */
  #sent = 0;
  /** The counters of requests that a target's policies have counted this request in. */
  #counted: Set<string> | undefined;

  constructor(parts: LimiterParts, { exchange, facts, policies }: RequestParts) {
    this.parts = parts;
    this.#exchange = exchange;
    this.#facts = facts;
    this.#policies = policies;
  }

  /** What the ledger keeps of the request itself, if nothing is heard of it. */
  get entry(): LedgerEntry {
    return this.#ownEntry(this.#admittedAt);
  }

  get ttlMs(): number {
    return (this.#exchange.overrides.timeoutMs ?? usualTimeoutMs) + slackMs;
  }

  /** Counts the request. Throws, or rejects with, the `GatewayError` of a limit that is reached. */
  admit(): LimitedRequest | Promise<LimitedRequest> {
    const matched = this.#judged(this.#policies.ofRequest(this.#facts));
    this.#matched = matched;
    if (matched.all.length === 0) return this;
    const { limits, clock } = this.parts;
    const { admission } = matched;
    let id: string | undefined;
    if (matched.countsRequests) {
      this.#admittedAt = clock.wall();
      id = newId(this.#admittedAt);
    }
    const given = id === undefined ? limits.look(admission) : limits.reserve(id, admission, this);
    if (given instanceof Promise) return given.then((answer) => this.#admitted(id, answer));
    return this.#admitted(id, given);
  }

  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation> {
    const facts = this.#facts;
    facts.target = attempt;
    const all = this.#matched.with(this.#judged(this.#policies.ofTarget(facts)));
    const matched = this.#notCounted(all.ofAttempts);
    const name = this.parts.learned.name(facts.workspace, attempt.provider, attempt.model);
    if (matched.all.length === 0) return this.#free(attempt, name);
    const waits = matched.needsCost ? this.parts.prices?.ready() : undefined;
    if (waits === undefined) return this.#charged(attempt, { name, matched });
    const charged = () => this.#charged(attempt, { name, matched });
    return waits.then(charged, charged);
  }

  end(): void {
    const admission = this.#admission;
    if (admission === undefined) return;
    this.#admission = undefined;
    const { limits, clock } = this.parts;
    if (this.#sent === 0) limits.release(admission);
    else limits.settle(admission, this.#matched.admission, this.#ownEntry(clock.wall()));
  }

  withdraw(matched: MatchedPolicies = noPolicies): void {
    this.#sent -= 1;
    if (!matched.countsRequests) return;
    for (const match of matched.all) if (match.policy.unit === 'requests') this.#counted?.delete(counterName(match));
  }

  watch(match: MatchedPolicy | undefined, { used, resetsAt }: CounterState, added = 0): void {
    if (match === undefined || !Number.isFinite(match.watchedFrom)) return;
    if (used + added < match.watchedFrom && !this.parts.watch.hasTold) return;
    const { policy, bucket } = match;
    const { workspace, organisation } = this.#facts;
    const at = this.parts.clock.wall();
    this.parts.watch.see({
      ...{ policy, bucket, workspace, organisation, used: used + added, at },
      ...(resetsAt === undefined ? {} : { resetsAt }),
    });
  }

  toEntry({ attempt, usage, isFirst, at }: EntryFacts): LedgerEntry {
    const facts = this.#facts;
    return {
      at,
      trace: this.#exchange.traceId,
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
      isAttempt: attempt === undefined ? false : undefined,
      usage,
    };
  }

  /** What generates nothing uses no tokens and costs nothing, so that it is counted as a request alone. */
  #judged(matched: MatchedPolicies): MatchedPolicies {
    if (!matched.isMeasured) return matched;
    this.#generates ??= generates(this.#exchange);
    return this.#generates ? matched : matched.ofRequests;
  }

  /** Requests are counted once by those of a target. */
  #notCounted(matched: MatchedPolicies): MatchedPolicies {
    const counted = this.#counted;
    if (!matched.countsRequests || counted === undefined || counted.size === 0) return matched;
    return matched.without((match) => match.policy.unit === 'requests' && counted.has(counterName(match)));
  }

  #admitted(id: string | undefined, answer: Answer): LimitedRequest {
    this.#judge(id, this.#matched, answer);
    this.#admission = id;
    return this;
  }

  #ownEntry(at: number): LedgerEntry {
    return this.toEntry({ usage: nothingUsed, isFirst: false, at });
  }

  #costOf({ provider, model, prices: saved }: LimitedAttempt, usage: UsageRecord): ReturnType<AttemptPrices['cost']> {
    const { prices, listedAs, clock } = this.parts;
    return prices?.cost(usage, { provider, listedAs: listedAs(provider), model, saved, at: clock.wall() });
  }

  #priced(attempt: LimitedAttempt, estimate: UsageRecord): UsageRecord {
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
    return each.nanoUsd > 0 || /^\/images\/(?:generations|edits)\/?(?:\?|$)/.test(this.#exchange.request.path);
  }

  /** What the attempt may add to a counter. Throws where that is not known, and the policy refuses what is not. */
  #amount({ policy, isOfTarget }: MatchedPolicy, attempt: LimitedAttempt, estimate: UsageRecord): number {
    if (policy.unit === 'requests') return 1;
    const { route, request } = this.#exchange;
    const isUnread = route.operation === 'opaque' && request.body.kind !== 'none';
    if (policy.ifUnknown === 'refuse' && isUnread && !(policy.unit === 'nanoUsd' && this.#isPriced(attempt)))
      throw unmeasured(policy, isOfTarget);
    if (policy.unit === 'tokens') return tokensOf(estimate);
    if (estimate.cost !== undefined) return estimate.cost.nanoUsd;
    if (policy.ifUnknown === 'refuse') throw unpriced(policy, attempt);
    return 0;
  }

  #charged(
    attempt: LimitedAttempt,
    { name, matched }: { readonly name: string; readonly matched: MatchedPolicies },
  ): Reservation | Promise<Reservation> {
    const { limits, learned, clock } = this.parts;
    const expected = estimateUse(attempt, { learned, name });
    const estimate = matched.needsCost ? this.#priced(attempt, expected) : expected;
    const charges: Charge[] = [];
    for (const match of matched.all) charges.push(chargeOf(match, this.#amount(match, attempt, estimate)));
    const at = clock.wall();
    const hold = { id: newId(at), at, matched, estimate };
    const charged = new ChargedAttempt(this, { attempt, name, isFirst: this.#sent === 0 }, hold);
    const given = limits.reserve(hold.id, charges, charged);
    if (given instanceof Promise) return given.then((answer) => this.#reserved(charged, answer));
    return this.#reserved(charged, given);
  }

  /** Throws what keeps an attempt from being sent. */
  #reserved(charged: ChargedAttempt, answer: Answer): Reservation {
    const { id, matched, estimate } = charged.hold;
    this.#judge(id, matched, answer);
    if (matched.isWatched && answer.kind === 'granted') charged.states = answer.counters;
    this.#sent += 1;
    if (matched.countsRequests) {
      this.#counted ??= new Set();
      for (const match of matched.all) if (match.policy.unit === 'requests') this.#counted.add(counterName(match));
    }
    if (matched.needsCost && estimate.cost === undefined) this.parts.unknowns.add('price');
    return charged;
  }

  #free(attempt: LimitedAttempt, name: string): Reservation {
    const isFirst = this.#sent === 0;
    this.#sent += 1;
    return new FreeAttempt(this, { attempt, name, isFirst });
  }

  /** Throws what keeps a request, or an attempt, from going on. A look has no id. */
  #judge(id: string | undefined, matched: MatchedPolicies, answer: Answer): void {
    if (answer.kind === 'granted') {
      if (matched.isWatched) this.#watchAll(matched, answer.counters);
      return;
    }
    const { limits, clock, unknowns } = this.parts;
    if (answer.kind === 'unavailable') {
      const refusing = matched.all.find(({ policy }) => policy.ifUnknown === 'refuse');
      if (refusing === undefined) {
        unknowns.add('counter');
        return;
      }
      // The counters may have taken it, and answered too late.
      if (id !== undefined) limits.release(id);
      throw uncounted(refusing.policy, refusing.isOfTarget);
    }
    const { counter } = answer;
    const ofPolicy = matched.all.filter(({ policy }) => policy.id === counter.policy);
    const full = ofPolicy.find(({ bucket }) => bucket === counter.bucket) ?? ofPolicy[0];
    if (full === undefined) throw new Error(`The counters refused a charge of ${counter.policy}, which was not made.`);
    this.watch(full, counter);
    throw refusalOf(full, { counter, now: clock.wall() });
  }

  #watchAll({ all }: MatchedPolicies, states: readonly CounterState[]): void {
    for (let at = 0; at < states.length; at += 1) {
      const state = states[at];
      if (state !== undefined) this.watch(all[at], state);
    }
  }

  /** The labels as texts. A request has the same ones at all of its attempts, unless a prompt adds one. */
  #textsOf(metadata: JsonObject): LedgerEntry['metadata'] {
    if (this.#labels !== metadata) {
      this.#labels = metadata;
      this.#texts = labelTexts(metadata);
    }
    return this.#texts;
  }
}
