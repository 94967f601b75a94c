import fc from 'fast-check';
import type { Scenario } from '../../../compiler/semantics/scenario.ts';
import type { PlanNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { type PlanParts, planParts, sealed } from './plan.ts';
import { scenario } from './scenario.ts';

const product = (numbers: readonly number[]): number => numbers.reduce((result, number) => result * number, 1);
const sum = (numbers: readonly number[]): number => numbers.reduce((result, number) => result + number, 0);

/** Returns the number of orders in which an attempt can try the keys of a target. */
const keyOrders = (target: Target | undefined): number => {
  if (target?.credential?.kind !== 'keys') return 1;
  const used = target.credential.keys.filter(({ weight }) => weight > 0).length;
  return product([used, used - 1, used - 2].filter((left) => left > 0));
};

const spreadBelow = (node: PlanNode, targets: readonly Target[]): number => {
  switch (node.kind) {
    case 'leaf': {
      const retries = sum(node.stages.map((stage) => (stage.kind === 'retry' ? stage.attempts : 0)));
      return 2 ** retries * keyOrders(targets[node.target]) ** (retries + 1);
    }
    case 'loadbalance':
      return sum(node.branches.map(({ weight, node: branch }) => (weight > 0 ? spread(branch, targets) : 0)));
    case 'fallback':
      return product(node.branches.map((branch) => spread(branch, targets)));
    case 'conditional':
      return Math.max(...node.branches.map((branch) => spread(branch, targets)));
  }
};

/**
 * Returns the maximum number of draw sequences for one request: a branch, for each attempt its keys, for each wait one of two
 * ends, and each copy or none.
 */
export const spread = (node: PlanNode, targets: readonly Target[]): number =>
  spreadBelow(node, targets) * 2 ** (node.mirrors ?? []).length;

const maxRuns = 200;

/** Keeps as many of its requests as the number of runs allows, and at least one. */
export const bounded = (scene: Scenario, { root, targets }: Pick<RoutingPlan, 'root' | 'targets'>): Scenario => {
  const runs = spread(root, targets);
  return { ...scene, requests: scene.requests.filter((_, index) => index === 0 || runs ** (index + 1) <= maxRuns) };
};

/** The parts of plans, without those with too many draws to try every combination. */
export const feasibleParts: fc.Arbitrary<PlanParts> = planParts.filter(
  ({ root, targets }) => spread(root, targets) <= maxRuns,
);

/** The parts of a plan, and what happens to it. */
export const partsScenario: fc.Arbitrary<{ readonly plan: PlanParts; readonly scenario: Scenario }> = fc
  .record({ plan: feasibleParts, scenario })
  .map(({ plan, scenario: scene }) => ({ plan, scenario: bounded(scene, plan) }));

/** The same with complete plans, which take longer to generate. */
export const planScenario: fc.Arbitrary<{ readonly plan: RoutingPlan; readonly scenario: Scenario }> =
  partsScenario.map(({ plan, scenario: scene }) => ({ plan: sealed(plan), scenario: scene }));
