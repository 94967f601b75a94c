import { keyFailure } from '../../schema/plan/circuits/key-cooling.ts';
import { usableBranches } from '../../schema/plan/list-branches.ts';
import type { ConditionalNode, LeafNode, PlanNode, RoutingPlan } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { measureBounds } from '../semantics/bounds.ts';
import { meantCircuits } from '../semantics/circuits.ts';
import type { Failure } from './failure.ts';

/** Sentences on what a plan may do that its odds ignore. */
export const oddsLimits = {
  circuits:
    'Several leaves share a circuit, which one of them may open for the next: the odds assume that no circuit opens within a request.',
  breakers: 'While a circuit is open, groups prefer other branches: the odds are for closed circuits.',
  deadline: 'The deadline may end a request before its retries and other branches: the odds ignore that.',
  hedge: 'A branch that is slow may be joined by the next one: the odds ignore those calls.',
  keys: 'Calls that fail because of their key are repeated with other keys of the target at once: the odds ignore those calls.',
  balance: 'A chooser decides among the branches of a balance: the odds are those of its weights.',
  require: 'The odds are for requests that every target can serve.',
  checks: 'The odds are for requests that no check denies, fails or repeats.',
  cache: 'The odds are for requests that no cache answers.',
  small: 'The branches that are not listed are too unlikely to be followed.',
} as const;

export type OddsLimit = keyof typeof oddsLimits;

/**
 * The limits that are conditions on the request or on what happened before it. Under these conditions, the odds are still exactly
 * those of the meaning.
 */
export const conditionLimits: ReadonlySet<OddsLimit> = new Set(['breakers', 'balance', 'require', 'checks', 'cache']);

export interface OddsOptions {
  /** How targets fail, by their ids; other targets never fail. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** Returns the branch that a conditional takes. */
  choose(node: ConditionalNode): number;
}

/** Returns the nodes that a request can reach. */
const chosenNodes = (node: PlanNode, choose: OddsOptions['choose']): readonly PlanNode[] => {
  if (node.kind === 'leaf') return [node];
  const branches =
    node.kind === 'conditional' ? node.branches.slice(choose(node), choose(node) + 1) : usableBranches(node);
  return [node, ...branches.flatMap((branch) => chosenNodes(branch, choose))];
};

/** Lists what the odds of a plan ignore. `waits` states whether time can pass within a request. */
export const limitsOf = (
  { root, targets, deadlineMs }: Pick<RoutingPlan, 'root' | 'targets' | 'deadlineMs'>,
  { failures, choose }: OddsOptions,
  { waits }: { readonly waits: boolean },
): readonly OddsLimit[] => {
  const nodes = chosenNodes(root, choose);
  const leaves = nodes.filter((node): node is LeafNode => node.kind === 'leaf');
  const circuits = leaves.flatMap((leaf) => {
    const target = targets[leaf.target];
    return target === undefined ? [] : meantCircuits(leaf, target, undefined).map(({ key }) => key);
  });
  const failsByKey = (leaf: LeafNode): boolean => {
    const target = targets[leaf.target];
    const failure = target && failures.get(target.id);
    return target?.credential?.kind === 'keys' && failure !== undefined && keyFailure(failure.outcome) !== undefined;
  };
  const has = (kind: 'cache' | 'input-checks' | 'output-checks'): boolean =>
    leaves.some((leaf) => findStage(leaf, kind) !== undefined);
  const found: { readonly [Limit in OddsLimit]?: boolean } = {
    circuits: new Set(circuits).size < circuits.length,
    breakers: circuits.length > 0,
    deadline: waits && deadlineMs !== undefined && measureBounds(root, targets).waitMs >= deadlineMs,
    hedge: waits && nodes.some((node) => node.kind === 'fallback' && node.hedge !== undefined),
    keys: leaves.some(failsByKey),
    balance: nodes.some(
      (node) => node.kind === 'loadbalance' && (node.balance !== undefined || node.sticky !== undefined),
    ),
    require: nodes.some((node) => 'require' in node && node.require !== undefined),
    checks: has('input-checks') || has('output-checks'),
    cache: has('cache'),
  };
  return (Object.keys(oddsLimits) as OddsLimit[]).filter((limit) => found[limit] === true);
};
