import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { LimitedAttempt, LimitedRequest, Reservation } from '../../../sdk/control-plane/limiter.ts';
import { generates } from '../../../sdk/models/generates.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { CounterState, Granted, Refused, ReserveOptions, Unavailable } from '../counters/limits.ts';
import type { LedgerEntry } from '../ledger/record/posting.ts';
import type { CompiledPolicies } from './matching/compile-policies.ts';
import { estimateUse, toTokens } from './matching/learned-use.ts';
import type { RequestLimitFacts } from './matching/limit-facts.ts';
import {
  type MatchedPolicies,
  type MatchedPolicy,
  noPolicies,
  nothingUsed,
  toCharge,
} from './matching/matched-policies.ts';
import { toRefusal, uncounted, unmeasured, unpriced } from './refusals.ts';
import {
  type AttemptedRequest,
  type AttemptPrices,
  ChargedAttempt,
  type EntryFacts,
  FreeAttempt,
  type LimiterParts,
  labelTexts,
} from './request-attempts.ts';

type Answer = Granted | Refused | Unavailable;

/** How long an attempt may take, in milliseconds, where its request does not say. */
const defaultTimeoutMs = 600_000;
/** Milliseconds beyond it, after which nothing will be heard of an attempt. */
const slackMs = 30_000;

/** A counter of requests, as it is remembered that one was counted in it. */
const counterName = ({ policy, bucket }: MatchedPolicy): string => `${policy.id} ${bucket}`;

/** One request, and what is counted of it. */
export class CountedRequest implements LimitedRequest, AttemptedRequest, ReserveOptions<LedgerEntry> {
  readonly parts: LimiterParts;
  readonly #facts: RequestLimitFacts;
  readonly #policies: CompiledPolicies;
  /** Those that are decided before a target is chosen. */
  #matched: MatchedPolicies = noPolicies;
  /** The reservation by which the request itself is counted; absent if no policy counts it. */
  #admission: string | undefined;
  #admittedAt = 0;
  #generates: boolean | undefined;
  /** Attempts that were sent, or are about to be. */
  #sent = 0;
  /** The counters of requests that a target's policies have counted this request in. */
  #counted: Set<string> | undefined;

  constructor(parts: LimiterParts, facts: RequestLimitFacts, policies: CompiledPolicies) {
    this.parts = parts;
    this.#facts = facts;
    this.#policies = policies;
  }

  /** Returns the ledger's entry for the request itself, if nothing is heard of it. */
  get entry(): LedgerEntry {
    return this.#ownEntry(this.#admittedAt);
  }

  get ttlMs(): number {
    return (this.#facts.exchange.overrides.timeoutMs ?? defaultTimeoutMs) + slackMs;
  }

  /** Counts the request. Throws, or rejects with, the `GatewayError` of a limit that is reached. */
  admit(): LimitedRequest | Promise<LimitedRequest> {
    const matched = this.#validated(this.#policies.ofRequest(this.#facts));
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
    return given instanceof Promise ? this.#admittedLater(id, given) : this.#admitted(id, given);
  }

  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation> {
    const facts = this.#facts;
    facts.target = attempt;
    const all = this.#matched.with(this.#validated(this.#policies.ofTarget(facts)));
    const matched = this.#notCounted(all.ofAttempts);
    if (matched.all.length === 0) return this.#free(attempt);
    const waits = matched.needsCost ? this.parts.prices?.ready() : undefined;
    return waits === undefined ? this.#charged(attempt, matched) : this.#chargedAfter(waits, { attempt, matched });
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
    if (used + added < match.watchedFrom && !this.parts.watch.hasNotified) return;
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
      trace: facts.exchange.traceId,
      organisation: facts.organisation,
      workspace: facts.workspace,
      key: facts.key,
      config: facts.config,
      prompt: facts.prompt,
      provider: attempt?.provider ?? '',
      slug: attempt?.slug,
      model: attempt?.model ?? '',
      metadata: labelTexts(facts.metadata),
      isFirst,
      isAttempt: attempt === undefined ? false : undefined,
      usage,
    };
  }

  /**
   * Selects the policies of a request: one that generates nothing uses no tokens and costs nothing, so that it is
   * counted as a request alone.
   */
  #validated(matched: MatchedPolicies): MatchedPolicies {
    if (!matched.isMeasured) return matched;
    this.#generates ??= generates(this.#facts.exchange);
    return this.#generates ? matched : matched.ofRequests;
  }

  /** Requests are counted once by those of a target. */
  #notCounted(matched: MatchedPolicies): MatchedPolicies {
    const counted = this.#counted;
    if (!matched.countsRequests || counted === undefined || counted.size === 0) return matched;
    return matched.without((match) => match.policy.unit === 'requests' && counted.has(counterName(match)));
  }

  async #admittedLater(id: string | undefined, asked: Promise<Answer>): Promise<LimitedRequest> {
    return this.#admitted(id, await asked);
  }

  #admitted(id: string | undefined, answer: Answer): LimitedRequest {
    const matched = this.#matched;
    this.#validate(id, matched, answer);
    this.#admission = id;
    // What was only looked at is seen where an attempt reserves some of it.
    if (id !== undefined && matched.isWatched && answer.kind === 'granted') this.#watchAll(matched, answer.counters);
    return this;
  }

  #ownEntry(at: number): LedgerEntry {
    return this.toEntry({ usage: nothingUsed, isFirst: false, at });
  }

  #toCost({ provider, model, prices: saved }: LimitedAttempt, usage: UsageRecord): ReturnType<AttemptPrices['cost']> {
    const { prices, listedAs, clock } = this.parts;
    return prices?.cost(usage, { provider, listedAs: listedAs(provider), model, saved, at: clock.wall() });
  }

  #priced(attempt: LimitedAttempt, estimate: UsageRecord): UsageRecord {
    const cost = this.#toCost(attempt, estimate);
    if (cost === undefined) return estimate;
    const { kind, model, input, output } = estimate;
    return { kind, model, input, output, cost };
  }

  /**
   * Whether a request that is passed through will have a cost: the model has a price for each request, or one for tokens at an
   * endpoint whose answers report these, as those with images do.
   */
  #isPriced(attempt: LimitedAttempt): boolean {
    const each = this.#toCost(attempt, { ...nothingUsed, model: attempt.model });
    if (each === undefined) return false;
    return each.nanoUsd > 0 || /^\/images\/(?:generations|edits)\/?(?:\?|$)/.test(this.#facts.exchange.request.path);
  }

  /**
   * Computes the amount that the attempt may add to a counter. Throws where that is not known, and the policy refuses
   * what is not.
   */
  #amount({ policy, isOfTarget }: MatchedPolicy, { attempt, estimate }: ChargedAttempt['planned']): number {
    if (policy.unit === 'requests') return 1;
    const { route, request } = this.#facts.exchange;
    const isUnread = route.operation === 'opaque' && request.body.kind !== 'none';
    if (policy.ifUnknown === 'refuse' && isUnread && !(policy.unit === 'nanoUsd' && this.#isPriced(attempt)))
      throw unmeasured(policy, isOfTarget);
    if (policy.unit === 'tokens') return toTokens(estimate);
    if (estimate.cost !== undefined) return estimate.cost.nanoUsd;
    if (policy.ifUnknown === 'refuse') throw unpriced(policy, attempt);
    return 0;
  }

  /** With or without prices: what has none is refused or let through where they are asked for. */
  async #chargedAfter(
    ready: Promise<void>,
    { attempt, matched }: { readonly attempt: LimitedAttempt; readonly matched: MatchedPolicies },
  ): Promise<Reservation> {
    await ready.catch(() => {});
    return this.#charged(attempt, matched);
  }

  #charged(attempt: LimitedAttempt, matched: MatchedPolicies): Reservation | Promise<Reservation> {
    const { limits, learned, clock } = this.parts;
    const name = this.#toName(attempt);
    const expected = estimateUse(attempt, { learned, name });
    const estimate = matched.needsCost ? this.#priced(attempt, expected) : expected;
    const isFirst = this.#sent === 0;
    const charged = new ChargedAttempt(this, { attempt, name, isFirst, at: clock.wall(), matched, estimate });
    const charges = matched.all.map((match) => toCharge(match, this.#amount(match, charged.planned)));
    const given = limits.reserve(charged.id, charges, charged);
    return given instanceof Promise ? this.#reservedLater(charged, given) : this.#reserved(charged, given);
  }

  async #reservedLater(charged: ChargedAttempt, asked: Promise<Answer>): Promise<Reservation> {
    return this.#reserved(charged, await asked);
  }

  /** Throws what keeps an attempt from being sent. */
  #reserved(charged: ChargedAttempt, answer: Answer): Reservation {
    const { matched, estimate } = charged.planned;
    this.#validate(charged.id, matched, answer);
    if (matched.isWatched && answer.kind === 'granted') {
      charged.states = answer.counters;
      this.#watchAll(matched, charged.states);
    }
    this.#sent += 1;
    if (matched.countsRequests) {
      this.#counted ??= new Set();
      for (const match of matched.all) if (match.policy.unit === 'requests') this.#counted.add(counterName(match));
    }
    if (matched.needsCost && estimate.cost === undefined) this.parts.unknowns.add('price');
    return charged;
  }

  #free(attempt: LimitedAttempt): Reservation {
    this.#sent += 1;
    return new FreeAttempt(this, { attempt, name: this.#toName(attempt), isFirst: this.#sent === 1 });
  }

  /** By which it is learned what such attempts use. */
  #toName({ provider, model }: LimitedAttempt): string {
    return this.parts.learned.name(this.#facts.workspace, provider, model);
  }

  /** Throws what keeps a request, or an attempt, from going on. A look has no id. */
  #validate(id: string | undefined, matched: MatchedPolicies, answer: Answer): void {
    if (answer.kind === 'granted') return;
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
    throw toRefusal(full, { counter, now: clock.wall() });
  }

  #watchAll({ all }: MatchedPolicies, states: readonly CounterState[]): void {
    for (let at = 0; at < states.length; at += 1) {
      const state = states[at];
      if (state !== undefined) this.watch(all[at], state);
    }
  }
}
