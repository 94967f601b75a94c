import {
  checkFailedStatus,
  deniedStatus,
  isSuccess,
  type Outcome,
  type OutcomeMatcher,
  statusMatcher,
} from '../../schema/http/status.ts';
import { mirrorWeights } from '../../schema/plan/mirror-weights.ts';
import type {
  FallbackNode,
  LeafNode,
  LoadbalanceNode,
  PlanNode,
  RetryStage,
  RoutingPlan,
} from '../../schema/plan/plan.ts';
import { backoff, defaultTimeoutMs } from '../../schema/plan/schedule.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { add, multiply, one, type Rational, rational, zero } from '../semantics/rational.ts';
import { type Failure, neverFails } from './failure.ts';
import { limitsOf, type OddsLimit, type OddsOptions } from './odds-limits.ts';

/** The parts of a plan that its odds depend on. */
export type OddsPlan = Pick<RoutingPlan, 'root' | 'targets' | 'deadlineMs'>;

/** The odds of a request at one leaf. */
export interface LeafOdds {
  readonly leaf: LeafNode;
  /** The probability that a request reaches it. */
  readonly reached: Rational;
  /** The probability that its answer is that of the request. */
  readonly answers: Rational;
  /** The expected number of its calls for one request, and of those that answer or time out. */
  readonly calls: Rational;
  readonly charged: Rational;
}

/** The odds of one request on a plan. */
export interface PlanOdds {
  /** The leaves that can be reached, in the order of the plan, with the targets of mirrors last. */
  readonly leaves: readonly LeafOdds[];
  /** The probability that its answer is a success. */
  readonly served: Rational;
  /** The expected number of calls, including those of mirrors. */
  readonly calls: Rational;
  /** The expected milliseconds of waits before retries, and of calls that time out. Answers themselves take no time here. */
  readonly waitMs: Rational;
  /** The behaviour of the plan that these odds ignore; empty if they are exactly those of its meaning. */
  readonly limits: readonly OddsLimit[];
}

/** An answer of a node, with its probability. */
interface Answer extends Outcome {
  readonly leaf: LeafNode;
  readonly probability: Rational;
}

interface Sums {
  reached: Rational;
  answers: Rational;
  calls: Rational;
  charged: Rational;
}

const nothing = (): Sums => ({ reached: zero, answers: zero, calls: zero, charged: zero });

const isZero = ({ numerator }: Rational): boolean => numerator === 0n;

const minus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);

const sum = (parts: readonly Rational[]): Rational => parts.reduce(add, zero);

/** Fractions with longer denominators are not followed further, because what remains is far less than anybody measures. */
const maxBits = 2048n;
const longest = 1n << maxBits;

const success: Outcome = { status: 200, origin: 'upstream' };

const isRetriable = ({ on }: RetryStage, { status, origin }: Outcome): boolean =>
  origin === 'network' || on.includes(status);

/** Returns the mean wait before a retry, in milliseconds. */
const meanWait = (retry: number, { status }: Outcome): Rational => {
  if (status === deniedStatus || status === checkFailedStatus) return zero;
  const { from, to } = backoff(retry);
  return rational(BigInt(from + to), 2n);
};

/** One request, followed through a plan with the probability of each of its ways. */
class OddsWalk {
  readonly sums = new Map<LeafNode, Sums>();
  readonly copies = new Map<LeafNode, Sums>();
  waitMs = zero;
  isCut = false;
  readonly #plan: OddsPlan;
  readonly #options: OddsOptions;

  constructor(plan: OddsPlan, options: OddsOptions) {
    this.#plan = plan;
    this.#options = options;
  }

  /** Returns the answers of a node that is reached with a probability above 0. */
  visit(node: PlanNode, come: Rational): readonly Answer[] {
    for (const mirror of node.mirrors ?? []) {
      const [sent, unsent] = mirrorWeights(mirror);
      this.#copy(mirror.leaf, multiply(come, rational(BigInt(sent), BigInt(sent + unsent))));
    }
    switch (node.kind) {
      case 'leaf':
        return this.#leaf(node, come);
      case 'loadbalance':
        return this.#balance(node, come);
      case 'fallback':
        return this.#fallback(node, come);
      case 'conditional': {
        const branch = node.branches[this.#options.choose(node)];
        return branch === undefined ? [] : this.visit(branch, come);
      }
    }
  }

  #failure(leaf: LeafNode): Failure {
    const target = this.#plan.targets[leaf.target];
    return (target && this.#options.failures.get(target.id)) ?? neverFails;
  }

  /** A mirror makes one call, which fails like any other. */
  #copy(leaf: LeafNode, sent: Rational): void {
    const { probability, isLate } = this.#failure(leaf);
    const sums = this.copies.get(leaf) ?? nothing();
    this.copies.set(leaf, sums);
    sums.reached = add(sums.reached, sent);
    sums.calls = add(sums.calls, sent);
    sums.charged = add(sums.charged, isLate ? sent : multiply(sent, minus(one, probability)));
  }

  #leaf(leaf: LeafNode, come: Rational): readonly Answer[] {
    const { probability, outcome, isLate } = this.#failure(leaf);
    const timeoutMs = this.#plan.targets[leaf.target]?.timeoutMs ?? defaultTimeoutMs;
    const retry = findStage(leaf, 'retry');
    const sums = this.sums.get(leaf) ?? nothing();
    this.sums.set(leaf, sums);
    sums.reached = add(sums.reached, come);
    const results = [
      { outcome: success, share: minus(one, probability), sum: zero },
      { outcome, share: probability, sum: zero },
    ];
    const attempts = 1 + (retry?.attempts ?? 0);
    let asked = come;
    for (let attempt = 1; attempt <= attempts && !isZero(asked); attempt += 1) {
      sums.calls = add(sums.calls, asked);
      sums.charged = add(sums.charged, isLate ? asked : multiply(asked, minus(one, probability)));
      if (isLate) this.#wait(multiply(multiply(asked, probability), rational(BigInt(timeoutMs), 1n)));
      let again = zero;
      for (const result of results) {
        const here = multiply(asked, result.share);
        const isRetried = retry !== undefined && attempt < attempts && isRetriable(retry, result.outcome);
        if (!isRetried) result.sum = add(result.sum, here);
        else {
          again = add(again, here);
          this.#wait(multiply(here, meanWait(attempt, result.outcome)));
        }
      }
      asked = again;
    }
    return results.flatMap((result) =>
      isZero(result.sum) ? [] : [{ ...result.outcome, leaf, probability: result.sum }],
    );
  }

  #wait(ms: Rational): void {
    this.waitMs = add(this.waitMs, ms);
  }

  #balance({ branches }: LoadbalanceNode, come: Rational): readonly Answer[] {
    const total = branches.reduce((all, { weight }) => all + BigInt(weight), 0n);
    return branches.flatMap(({ weight, node }) =>
      weight > 0 ? this.visit(node, multiply(come, rational(BigInt(weight), total))) : [],
    );
  }

  #fallback({ branches, on }: FallbackNode, come: Rational): readonly Answer[] {
    const triggers: OutcomeMatcher = statusMatcher(on);
    const answers: Answer[] = [];
    let asked = come;
    for (const [index, branch] of branches.entries()) {
      const found = this.visit(branch, asked);
      const isLast = index + 1 === branches.length;
      const passed = isLast ? [] : found.filter(triggers);
      answers.push(...(isLast ? found : found.filter((answer) => !triggers(answer))));
      asked = sum(passed.map(({ probability }) => probability));
      if (isZero(asked)) break;
      if (asked.denominator > longest) {
        this.isCut = true;
        answers.push(...passed);
        break;
      }
    }
    return answers;
  }
}

/**
 * Computes the odds of one request: how likely it is to reach each leaf, and its expected calls and waits. Each call of a target
 * fails independently with its probability; circuits are closed, checks pass, caches are empty, and load balances draw by weight.
 * The result is exact except for `limits`.
 */
export const planOdds = (plan: OddsPlan, options: OddsOptions): PlanOdds => {
  const followed = new OddsWalk(plan, options);
  const answers = followed.visit(plan.root, one);
  for (const { leaf, probability } of answers) {
    const sums = followed.sums.get(leaf);
    if (sums !== undefined) sums.answers = add(sums.answers, probability);
  }
  const leaves = [...followed.sums, ...followed.copies].map(([leaf, sums]): LeafOdds => ({ leaf, ...sums }));
  return {
    leaves,
    served: sum(answers.flatMap(({ status, probability }) => (isSuccess(status) ? [probability] : []))),
    calls: sum(leaves.map(({ calls }) => calls)),
    waitMs: followed.waitMs,
    limits: [
      ...limitsOf(plan, options, { waits: !isZero(followed.waitMs) }),
      ...(followed.isCut ? (['small'] as const) : []),
    ],
  };
};
