import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { LimitedAttempt, LimitedRequest, Limiter, Reservation } from '../../../sdk/control-plane/limiter.ts';
import { generates } from '../../../sdk/models/generates.ts';
import { estimateUse, LearnedUse } from '../../../sdk/models/learned-use.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Answer, Charge, CounterState, ReserveOptions } from '../counters/limits.ts';
import type { LedgerEntry } from '../ledger/posting.ts';
import { type CompiledPolicies, compilePolicies } from './compile-policies.ts';
import { RequestLimitFacts } from './limit-facts.ts';
import { type MatchedPolicies, type MatchedPolicy, noPolicies, nothingUsed, toCharge } from './matched-policies.ts';
import { toRefusal, uncountedRefusal } from './refusals.ts';
import {
  type AttemptedRequest,
  ChargedAttempt,
  findCost,
  type LimiterOptions,
  type LimiterParts,
  toEntry,
  UnlimitedAttempt,
} from './request-attempts.ts';

/** How long an attempt may take if its request does not specify it, in milliseconds. */
const defaultTimeoutMs = 600_000;
/** How long after that an attempt may still report something, in milliseconds. */
const slackMs = 30_000;

/**
 * Whether a policy limits how many requests callers send, which a copy does not count towards. Usage and cost of copies count.
 */
const limitsCallers = ({ policy: { kind, unit } }: MatchedPolicy): boolean => kind !== 'usage' || unit === 'requests';

/** Returns the name by which a counter of requests is remembered, if the request was counted in it. */
const counterName = ({ policy, bucket }: MatchedPolicy): string => `${policy.id} ${bucket}`;

/** One request, and what is counted for it. */
class CountedRequest implements LimitedRequest, AttemptedRequest, ReserveOptions<LedgerEntry> {
  readonly parts: LimiterParts;
  readonly facts: RequestLimitFacts;
  readonly #policies: CompiledPolicies;
  /** The policies that are decided before a target is chosen. */
  #matched: MatchedPolicies = noPolicies;
  /** The reservation by which the request itself is counted; absent if no policy counts it. */
  #admission: string | undefined;
  #admittedAt = 0;
  /** Whether it was sent by a mirror, and not by a client. */
  readonly #isCopy: boolean;
  #generates: boolean | undefined;
  /** The number of attempts that were sent, or are about to be. */
  #sent = 0;
  /** The counters in which the request policies of targets have counted this request. */
  #counted: Set<string> | undefined;
  /** Those counters that a further attempt has skipped, because the request was counted there already. */
  #leftOut: Set<string> | undefined;
  /** Settles when the counters have answered an attempt that may count the request; absent while no such query is pending. */
  #counting: Promise<void> | undefined;
  /** Whether it was let through because the counters did not answer. */
  #isUncounted = false;
  /** The first attempt whose usage is known. */
  #first: Reservation | undefined;

  constructor(parts: LimiterParts, facts: RequestLimitFacts, policies: CompiledPolicies) {
    this.parts = parts;
    this.facts = facts;
    this.#policies = policies;
    this.#isCopy = facts.exchange.mirrorOf !== undefined;
  }

  /** Returns the ledger's entry for the request itself, in case nothing is reported for it. */
  get entry(): LedgerEntry {
    return this.ownEntry(this.#admittedAt);
  }

  get ttlMs(): number {
    return (this.facts.exchange.overrides.timeoutMs ?? defaultTimeoutMs) + slackMs;
  }

  /** Counts the request. Throws, or rejects with, the `GatewayError` of a limit that is reached. */
  admit(): LimitedRequest | Promise<LimitedRequest> {
    const matched = this.#validated(this.#policies.ofRequest(this.facts));
    this.#matched = matched;
    if (matched.all.length === 0) return this;
    const { limits, clock } = this.parts;
    let id: string | undefined;
    if (matched.countsRequests) {
      this.#admittedAt = clock.wall();
      id = newId(this.#admittedAt);
    }
    const given = id === undefined ? limits.peek(matched.admission) : limits.reserve(id, matched.admission, this);
    return given instanceof Promise ? this.#admittedLater(id, given) : this.#admitted(id, given);
  }

  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation> {
    this.facts.target = attempt;
    const { ofAttempts } = this.#matched.with(this.#validated(this.#policies.ofTarget(this.facts)));
    return ofAttempts.countsRequests ? this.#inTurn(attempt, ofAttempts) : this.#planned(attempt, ofAttempts);
  }

  end(): void {
    const admission = this.#admission;
    if (admission === undefined) return;
    this.#admission = undefined;
    const { limits, clock } = this.parts;
    if (this.#sent === 0) limits.release(admission);
    else limits.settle(admission, this.#matched.admission, this.ownEntry(clock.wall()));
  }

  isFirst(attempt: Reservation): boolean {
    if (this.#isCopy) return false;
    this.#first ??= attempt;
    return this.#first === attempt;
  }

  withdraw(matched: MatchedPolicies = noPolicies): ReadonlySet<MatchedPolicy> | undefined {
    this.#sent -= 1;
    if (!matched.countsRequests) return undefined;
    const counting = new Set<MatchedPolicy>();
    for (const match of matched.all) {
      if (match.policy.unit !== 'requests') continue;
      const name = counterName(match);
      if (this.#sent > 0 && this.#leftOut?.has(name) === true) counting.add(match);
      else this.#counted?.delete(name);
    }
    return counting.size === 0 ? undefined : counting;
  }

  ownEntry(at: number): LedgerEntry {
    return toEntry(this.facts, { usage: nothingUsed, isFirst: false, at });
  }

  watchAll({ all }: MatchedPolicies, states: readonly CounterState[], added?: readonly Charge[]): void {
    for (let at = 0; at < states.length; at += 1) {
      const match = all[at];
      const state = states[at];
      if (match !== undefined && state !== undefined) this.#watch(match, state, added?.[at]?.amount);
    }
  }

  /**
   * Selects the policies of a request. One that generates nothing uses no tokens and costs nothing, so only policies of requests
   * count it.
   */
  #validated(given: MatchedPolicies): MatchedPolicies {
    const matched = this.#isCopy ? given.without(limitsCallers) : given;
    if (!matched.isMeasured) return matched;
    this.#generates ??= generates(this.facts.exchange);
    return this.#generates ? matched : matched.ofRequests;
  }

  /**
   * The counters of requests that an attempt is charged to depend on the attempts before it. An attempt that begins while another
   * is pending, such as that of a hedge, waits until the counters have answered the other one.
   */
  #inTurn(attempt: LimitedAttempt, matched: MatchedPolicies): Reservation | Promise<Reservation> {
    if (this.#counting !== undefined) return this.#counting.then(() => this.#inTurn(attempt, matched));
    const given = this.#planned(attempt, this.#notCounted(matched));
    if (!(given instanceof Promise)) return given;
    const over = (): void => {
      this.#counting = undefined;
    };
    this.#counting = given.then(over, over);
    return given;
  }

  #planned(attempt: LimitedAttempt, matched: MatchedPolicies): Reservation | Promise<Reservation> {
    if (matched.all.length === 0) return this.#free(attempt);
    const waits = matched.needsCost ? this.parts.prices?.ready() : undefined;
    return waits === undefined ? this.#charged(attempt, matched) : this.#chargedAfter(waits, { attempt, matched });
  }

  /** Omits the policies of targets that have counted the request already, because it is counted only once. */
  #notCounted(matched: MatchedPolicies): MatchedPolicies {
    const counted = this.#counted;
    if (!matched.countsRequests || counted === undefined || counted.size === 0) return matched;
    return matched.without((match) => {
      const name = counterName(match);
      if (match.policy.unit !== 'requests' || !counted.has(name)) return false;
      this.#leftOut ??= new Set();
      this.#leftOut.add(name);
      return true;
    });
  }

  async #admittedLater(id: string | undefined, asked: Promise<Answer>): Promise<LimitedRequest> {
    return this.#admitted(id, await asked);
  }

  #admitted(id: string | undefined, answer: Answer): LimitedRequest {
    const matched = this.#matched;
    this.#validate(id, matched, answer);
    this.#admission = id;
    // After a mere look, the counter is reported when an attempt reserves from it.
    if (id !== undefined && matched.isWatched && answer.kind === 'granted') this.watchAll(matched, answer.counters);
    return this;
  }

  /** Continues with or without prices: an attempt without a price is refused or allowed where the price is needed. */
  async #chargedAfter(
    ready: Promise<void>,
    { attempt, matched }: { readonly attempt: LimitedAttempt; readonly matched: MatchedPolicies },
  ): Promise<Reservation> {
    await ready.catch(() => {});
    return this.#charged(attempt, matched);
  }

  #charged(attempt: LimitedAttempt, matched: MatchedPolicies): Reservation | Promise<Reservation> {
    const { limits, learned, clock } = this.parts;
    const name = learned.name(this.facts.workspace, attempt.provider, attempt.model);
    const expected = estimateUse(attempt, { learned, name });
    const cost = matched.needsCost ? findCost(this.parts, attempt, expected) : undefined;
    const estimate = cost === undefined ? expected : { ...expected, cost };
    const isFirst = this.#sent === 0 && !this.#isCopy;
    const charged = new ChargedAttempt(this, { attempt, name, isFirst, at: clock.wall(), matched, estimate });
    const charges = matched.all.map((match) => toCharge(match, charged.toAmount(match)));
    const given = limits.reserve(charged.id, charges, charged);
    return given instanceof Promise ? this.#reservedLater(charged, given) : this.#reserved(charged, given);
  }

  async #reservedLater(charged: ChargedAttempt, asked: Promise<Answer>): Promise<Reservation> {
    return this.#reserved(charged, await asked);
  }

  /** Throws the error that prevents an attempt from being sent. */
  #reserved(charged: ChargedAttempt, answer: Answer): Reservation {
    const { matched } = charged.planned;
    this.#validate(charged.id, matched, answer);
    if (matched.isWatched && answer.kind === 'granted') {
      charged.states = answer.counters;
      this.watchAll(matched, charged.states);
    }
    this.#sent += 1;
    if (matched.countsRequests) {
      this.#counted ??= new Set();
      for (const match of matched.all) if (match.policy.unit === 'requests') this.#counted.add(counterName(match));
    }
    return charged;
  }

  #free(attempt: LimitedAttempt): Reservation {
    const name = this.parts.learned.name(this.facts.workspace, attempt.provider, attempt.model);
    this.#sent += 1;
    return new UnlimitedAttempt(this, { attempt, name });
  }

  /** Throws the error that prevents a request, or an attempt, from continuing. A look has no id. */
  #validate(id: string | undefined, matched: MatchedPolicies, answer: Answer): void {
    if (answer.kind === 'granted') return;
    if (answer.kind === 'refused') throw this.#refusal(matched, answer.counter);
    const { limits, unknowns } = this.parts;
    const refusing = matched.all.find(({ policy }) => policy.ifUnknown === 'refuse');
    if (refusing !== undefined) {
      // The counters may have granted it, and answered too late.
      if (id !== undefined) limits.release(id);
      throw uncountedRefusal(refusing.policy, refusing.isOfTarget);
    }
    if (!this.#isUncounted) unknowns.add('counter');
    this.#isUncounted = true;
  }

  #refusal({ all }: MatchedPolicies, counter: CounterState): GatewayError {
    const ofPolicy = all.filter(({ policy }) => policy.id === counter.policy);
    const full = ofPolicy.find(({ bucket }) => bucket === counter.bucket) ?? ofPolicy[0];
    if (full === undefined) throw new Error(`The counters refused a charge of ${counter.policy}, which was not made.`);
    this.#watch(full, counter);
    return toRefusal(full, { counter, now: this.parts.clock.wall(), sends: (label) => this.facts.sends(label) });
  }

  #watch({ policy, bucket, minReportedAmount }: MatchedPolicy, state: CounterState, added = 0): void {
    const { watch, clock } = this.parts;
    const used = state.used + added;
    if (!Number.isFinite(minReportedAmount) || (used < minReportedAmount && !watch.hasNotified)) return;
    const { workspace, organisation } = this.facts;
    watch.see({ policy, bucket, workspace, organisation, used, at: clock.wall(), resetsAt: state.resetsAt });
  }
}

const none = compilePolicies([]);

/**
 * Counts the requests of callers that a control plane knows, and limits them by the policies of their workspace. Each attempt
 * that was sent becomes one posting: of the counters if a policy covers it, or otherwise, if all attempts are counted, only of
 * the ledger.
 */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const parts: LimiterParts = { ...options, learned: new LearnedUse() };
  return {
    readsModels: ({ workspace, organisation }) =>
      organisation !== undefined &&
      workspace !== undefined &&
      parts.findPolicies(workspace, organisation)?.readsModels === true,
    admit(exchange, { name }) {
      const { organisation, workspace } = exchange.principal;
      // Keys of the gateway file do not act in the store.
      if (organisation === undefined || workspace === undefined) return undefined;
      const policies = parts.findPolicies(workspace, organisation);
      if (policies === undefined && !parts.countsAll) return undefined;
      const facts = new RequestLimitFacts(exchange, { workspace, organisation, config: name });
      return new CountedRequest(parts, facts, policies ?? none).admit();
    },
  };
};
