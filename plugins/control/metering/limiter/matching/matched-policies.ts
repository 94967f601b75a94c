import type { Charge } from '../../counters/limits.ts';
import { toCharge } from './match-charges.ts';
import type { MatchedPolicy } from './matched-policy.ts';

const countsRequests = ({ policy }: MatchedPolicy): boolean => policy.unit === 'requests';

/** Lists of a target's policies with which it is remembered what a list becomes. */
const maxJoined = 8;

/**
 * The policies that cover requests of one kind, in the order of their list. What follows from them is found once, and used for
 * all of these requests.
 */
export class MatchedPolicies {
  readonly all: readonly MatchedPolicy[];
  /** Whether some of them count what generates alone. */
  readonly isMeasured: boolean;
  /** Whether the operator may be told something of their counters. */
  readonly isWatched: boolean;
  /** Whether what an attempt costs is to be known. */
  readonly needsCost: boolean;
  readonly countsRequests: boolean;
  /** What is charged for the request itself: a policy of requests counts it, another is only asked. */
  readonly admission: readonly Charge[];
  #ofRequests: MatchedPolicies | undefined;
  #ofAttempts: MatchedPolicies | undefined;
  readonly #joined = new Map<MatchedPolicies, MatchedPolicies>();

  constructor(all: readonly MatchedPolicy[]) {
    this.all = all;
    this.isMeasured = !all.every(countsRequests);
    this.isWatched = all.some(({ watchedFrom }) => Number.isFinite(watchedFrom));
    this.needsCost = all.some(({ policy }) => policy.unit === 'nanoUsd');
    this.countsRequests = all.some(countsRequests);
    this.admission = all.map((match) => toCharge(match, countsRequests(match) ? 1 : 0));
  }

  /** Those that a request is counted by which generates nothing: it uses no tokens and costs nothing. */
  get ofRequests(): MatchedPolicies {
    if (!this.isMeasured) return this;
    this.#ofRequests ??= new MatchedPolicies(this.all.filter(countsRequests));
    return this.#ofRequests;
  }

  /** Those that an attempt is charged to: requests of clients are counted when they are admitted. */
  get ofAttempts(): MatchedPolicies {
    if (!this.countsRequests) return this;
    this.#ofAttempts ??= this.without((match) => countsRequests(match) && !match.isOfTarget);
    return this.#ofAttempts;
  }

  without(isLeftOut: (match: MatchedPolicy) => boolean): MatchedPolicies {
    return this.all.some(isLeftOut) ? new MatchedPolicies(this.all.filter((match) => !isLeftOut(match))) : this;
  }

  /** Together with those of a target. */
  with(ofTarget: MatchedPolicies): MatchedPolicies {
    if (ofTarget.all.length === 0) return this;
    if (this.all.length === 0) return ofTarget;
    const known = this.#joined.get(ofTarget);
    if (known !== undefined) return known;
    const made = new MatchedPolicies([...this.all, ...ofTarget.all].toSorted((one, other) => one.order - other.order));
    if (this.#joined.size >= maxJoined) this.#joined.clear();
    this.#joined.set(ofTarget, made);
    return made;
  }
}

export const noPolicies: MatchedPolicies = new MatchedPolicies([]);
