import { isNonEmpty } from '../../schema/json/json.ts';
import { balanceFeatures, type LoadbalanceNode, type PlanNode } from '../../schema/plan/plan.ts';
import { coprime } from './coprime.ts';
import { mayBeUnavailable } from './may-be-unavailable.ts';
import type { Rewrite } from './rewrite.ts';

/** Whether a load balance draws only by weight, among all available branches. */
const isDrawn = (node: LoadbalanceNode): boolean => balanceFeatures(node).length === 0 && node.require === undefined;

/**
 * Whether a node is a load balance that never skips a branch, draws only by weight, so that its weights are its odds, and copies
 * nothing.
 */
const isSteady = (node: PlanNode): node is LoadbalanceNode =>
  node.kind === 'loadbalance' &&
  node.mirrors === undefined &&
  isDrawn(node) &&
  node.branches.every((branch) => branch.weight > 0 && !mayBeUnavailable(branch.node));

/**
 * Puts the inner branches in the place of the branch `at`, with all weights scaled to a common sum; undefined if they grow too
 * large.
 */
const merged = (outer: LoadbalanceNode, inner: LoadbalanceNode, at: number): LoadbalanceNode | undefined => {
  const whole = inner.branches.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const scaled = outer.branches.flatMap(({ weight, node }, index) =>
    index === at
      ? inner.branches.map((branch) => ({ node: branch.node, weight: BigInt(weight) * BigInt(branch.weight) }))
      : [{ node, weight: BigInt(weight) * whole }],
  );
  const weights = coprime(scaled.map(({ weight }) => weight));
  const branches = scaled.flatMap(({ node }, index) => {
    const weight = weights?.[index];
    return weight === undefined ? [] : [{ weight, node }];
  });
  return isNonEmpty(branches) ? { ...outer, branches } : undefined;
};

/**
 * The probability of an inner branch is the product of two draws. The outer load balance uses or skips the inner group as a
 * whole.
 */
export const flattenLoadbalance: Rewrite = {
  name: 'flatten-loadbalance',
  law: 'balance[a:m, balance[b:p, c:q]:n] = balance[a:m(p+q), b:np, c:nq], where neither b nor c may be unavailable',
  rewrite(node) {
    if (node.kind !== 'loadbalance' || !isDrawn(node)) return node;
    for (const [at, branch] of node.branches.entries()) {
      const flat = isSteady(branch.node) ? merged(node, branch.node, at) : undefined;
      if (flat !== undefined) return flat;
    }
    return node;
  },
};
