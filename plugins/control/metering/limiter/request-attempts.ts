import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { LimitedAttempt, Reservation } from '../../../sdk/control-plane/limiter.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { CounterState, ReserveOptions } from '../counters/limits.ts';
import type { LedgerEntry } from '../ledger/record/entry.ts';
import type { PostedCharge } from '../ledger/record/posting.ts';
import type { LimiterParts } from './limiter-options.ts';
import { toCharges } from './matching/match-charges.ts';
import type { MatchedPolicies } from './matching/matched-policies.ts';
import type { MatchedPolicy } from './matching/matched-policy.ts';

/** What an entry of the ledger says that is not the same in all entries of a request. */
export interface EntryFacts {
  /** Absent for the request itself. */
  readonly attempt?: LimitedAttempt;
  readonly usage: UsageRecord;
  readonly isFirst: boolean;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** The request of an attempt. */
export interface AttemptedRequest {
  readonly parts: LimiterParts;
  /** Milliseconds after which nothing will be heard of an attempt. */
  readonly ttlMs: number;
  toEntry(facts: EntryFacts): LedgerEntry;
  /** Tells how full a counter is, with what was added since. */
  watch(match: MatchedPolicy | undefined, state: CounterState, added?: number): void;
  /** An attempt was not sent, and what it was charged to does not count the request. */
  withdraw(matched?: MatchedPolicies): void;
}

/** What is known of an attempt before it is sent. */
export interface PlannedAttempt {
  readonly attempt: LimitedAttempt;
  /** By which it is learned what such attempts use. */
  readonly name: string;
  /** The first of its request that was sent. */
  readonly isFirst: boolean;
}

const learn = ({ learned }: LimiterParts, { attempt, name }: PlannedAttempt, usage: UsageRecord): void => {
  const { kind, input, output } = usage;
  if (kind === 'reported')
    learned.see(name, { bodyBytes: attempt.bodyBytes, input: input.total, output: output.total });
};

const noCharges: readonly PostedCharge[] = [];

/** An attempt that no policy covers. */
export class FreeAttempt implements Reservation, PlannedAttempt {
  readonly attempt: LimitedAttempt;
  readonly name: string;
  readonly isFirst: boolean;
  readonly #request: AttemptedRequest;

  constructor(request: AttemptedRequest, { attempt, name, isFirst }: PlannedAttempt) {
    this.attempt = attempt;
    this.name = name;
    this.isFirst = isFirst;
    this.#request = request;
  }

  settle(usage: UsageRecord): void {
    const { parts } = this.#request;
    const { attempt, isFirst } = this;
    learn(parts, this, usage);
    if (!parts.countsAll) return;
    const at = parts.clock.wall();
    const entry = this.#request.toEntry({ attempt, usage, isFirst, at });
    parts.post({ id: newId(at), charges: noCharges, entry });
  }

  release(): void {
    this.#request.withdraw();
  }
}

/** What an attempt is to be charged to, and why so much. */
export interface PlannedCharge {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly matched: MatchedPolicies;
  /** What it may use, with its cost where a policy needs it and it is known. */
  readonly estimate: UsageRecord;
}

const noStates: readonly CounterState[] = [];

/** An attempt that policies cover: what it holds in counters, and what becomes of that. */
export class ChargedAttempt implements Reservation, PlannedAttempt, ReserveOptions<LedgerEntry> {
  readonly id: string;
  readonly attempt: LimitedAttempt;
  readonly name: string;
  readonly isFirst: boolean;
  readonly matched: MatchedPolicies;
  readonly estimate: UsageRecord;
  readonly #request: AttemptedRequest;
  readonly #at: number;
  /** How full the counters were, where somebody may be told of that. */
  states: readonly CounterState[] = noStates;

  constructor(
    request: AttemptedRequest,
    { attempt, name, isFirst }: PlannedAttempt,
    { at, matched, estimate }: PlannedCharge,
  ) {
    this.id = newId(at);
    this.attempt = attempt;
    this.name = name;
    this.isFirst = isFirst;
    this.matched = matched;
    this.estimate = estimate;
    this.#request = request;
    this.#at = at;
  }

  get ttlMs(): number {
    return this.#request.ttlMs;
  }

  /** The estimate, as of the reservation. */
  get entry(): LedgerEntry {
    const { attempt, estimate, isFirst } = this;
    return this.#request.toEntry({ attempt, usage: estimate, isFirst, at: this.#at });
  }

  settle(usage: UsageRecord): void {
    const { parts } = this.#request;
    const { id, attempt, isFirst, matched, estimate } = this;
    learn(parts, this, usage);
    const actual = toCharges(matched.all, usage);
    parts.limits.settle(id, actual, this.#request.toEntry({ attempt, usage, isFirst, at: parts.clock.wall() }));
    if (matched.needsCost && usage.unmeasured === true && usage.cost === undefined && estimate.cost !== undefined)
      parts.unknowns.add('price');
    for (let at = 0; at < this.states.length; at += 1) {
      const state = this.states[at];
      if (state !== undefined) this.#request.watch(matched.all[at], state, actual[at]?.amount);
    }
  }

  release(): void {
    this.#request.withdraw(this.matched);
    this.#request.parts.limits.release(this.id);
  }
}
