import { isNonEmpty } from '../../schema/json/json.ts';
import { balanceFeatures, type LoadbalanceNode, type PlanNode } from '../../schema/plan/plan.ts';
import { coprime } from './coprime.ts';
import { mayBeUnavailable } from './may-be-unavailable.ts';
import type { Rewrite } from './rewrite.ts';

/** Whether a load balance draws by weight alone, among all branches that are available. */
const isDrawn = (node: LoadbalanceNode): boolean => balanceFeatures(node).length === 0 && node.require === undefined;

/** A load balance that never leaves a branch out and draws by weight alone, so that its weights are its odds. */
const isSteady = (node: PlanNode): node is LoadbalanceNode =>
  node.kind === 'loadbalance' &&
  isDrawn(node) &&
  node.branches.every((branch) => branch.weight > 0 && !mayBeUnavailable(branch.node));

/** The inner branches in the place of the branch `at`, all weights scaled to the same whole; nothing where they grow too large. */
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

/** The probability of an inner branch is the product of two draws; the outer one leaves the inner group in or out as a whole. */
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
