import { toOptionPath } from '../../../schema/json/pointer.ts';
import { listNodesOf } from '../../../schema/plan/list-branches.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { ConditionalNode, Target } from '../../../schema/plan/plan.ts';
import type { Failure } from '../../reliability/failure.ts';
import { type Choices, chosenBy, listKinds, ofKind } from '../../reliability/plan-kinds.ts';
import { type OddsPlan, type PlanOdds, planOdds } from '../../reliability/plan-odds.ts';
import { measureBounds, worstCost } from '../../semantics/bounds.ts';
import { add, multiply, type Rational, rational, zero } from '../../semantics/rational.ts';
import { describeCondition } from './describe-condition.ts';

/** A conditional, and why requests of a kind take a branch of it. */
export interface KindCondition {
  readonly path: string;
  readonly when: string;
}

/** The odds of requests that take the same branches of all conditionals. */
export interface KindOdds {
  /** Empty if the plan has no conditionals. */
  readonly conditions: readonly KindCondition[];
  readonly odds: PlanOdds;
  readonly worst: { readonly calls: number; readonly waitMs: number; readonly nanoUsd: number | undefined };
  /** The expected cost in billionths of a US dollar; undefined if a price is unknown. */
  readonly nanoUsd: Rational | undefined;
}

/** The maximum number of kinds to list; fewer for a large plan. */
const maxKinds = 32;
const maxLeavesInAll = 20_000;

const reasonOf = ({ path, cases, otherwise }: ConditionalNode, branch: number): KindCondition => {
  const whens = cases.flatMap(({ when, branch: to }) => (to === branch ? [describeCondition(when)] : []));
  const all = [...whens, ...(branch === otherwise ? ['no other condition matches'] : [])];
  return { path: toOptionPath(path), when: all.join(', or ') };
};

export interface OddsQuestion {
  readonly failures: ReadonlyMap<string, Failure>;
  /** Returns the price of a call of a target, in billionths of a US dollar; undefined if unknown. */
  readonly callCost: (target: Target) => number | undefined;
}

const expectedCost = (
  { leaves }: PlanOdds,
  { targets }: OddsPlan,
  { callCost }: OddsQuestion,
): Rational | undefined => {
  let all = zero;
  for (const { leaf, charged } of leaves) {
    if (charged.numerator === 0n) continue;
    const target = targets[leaf.target];
    const cost = target && callCost(target);
    if (cost === undefined) return undefined;
    all = add(all, multiply(charged, rational(BigInt(Math.round(cost)), 1n)));
  }
  return all;
};

const ofChoices = (plan: OddsPlan, choices: Choices, question: OddsQuestion): KindOdds => {
  const { targets, deadlineMs } = plan;
  const root = ofKind(plan.root, choices);
  const odds = planOdds(plan, { failures: question.failures, choose: chosenBy(choices) });
  const { calls, waitMs } = measureBounds(root, targets, deadlineMs === undefined ? {} : { deadlineMs });
  const conditionals = listNodesOf('conditional', plan.root).filter(({ path }) => choices.has(path));
  return {
    conditions: conditionals.map((node) => reasonOf(node, chosenBy(choices)(node))),
    odds,
    worst: { calls, waitMs, nanoUsd: worstCost({ root, targets }, question.callCost) },
    nanoUsd: expectedCost(odds, plan, question),
  };
};

/** The odds of each kind of request that the conditionals of a plan distinguish. */
export interface OddsOfKinds {
  readonly kinds: readonly KindOdds[];
  /** Whether there are more kinds than are listed. */
  readonly isCut: boolean;
}

export const oddsOfKinds = (plan: OddsPlan, question: OddsQuestion): OddsOfKinds => {
  const leaves = Math.max(1, listLeaves(plan.root).length);
  const max = Math.max(1, Math.min(maxKinds, Math.floor(maxLeavesInAll / leaves)));
  const all = listKinds(plan.root, max + 1);
  return { kinds: all.slice(0, max).map((choices) => ofChoices(plan, choices, question)), isCut: all.length > max };
};
