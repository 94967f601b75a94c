import fc from 'fast-check';
import type { Scenario } from '../../../compiler/meaning/scenario.ts';
import type { PlanNode, RoutingPlan } from '../../../schema/plan/plan.ts';
import { type PlanParts, planParts, sealed } from './plan.ts';
import { scenario } from './scenario.ts';

const product = (numbers: readonly number[]): number => numbers.reduce((result, number) => result * number, 1);
const sum = (numbers: readonly number[]): number => numbers.reduce((result, number) => result + number, 0);

const spreadBelow = (node: PlanNode): number => {
  switch (node.kind) {
    case 'leaf':
      return product(node.stages.map((stage) => (stage.kind === 'retry' ? 2 ** stage.attempts : 1)));
    case 'loadbalance':
      return sum(node.branches.map(({ weight, node: branch }) => (weight > 0 ? spread(branch) : 0)));
    case 'fallback':
      return product(node.branches.map(spread));
    case 'conditional':
      return Math.max(...node.branches.map(spread));
  }
};

/** The most sequences of draws that one request can make: a branch, for each wait one of two ends, and each copy or none. */
export const spread = (node: PlanNode): number => spreadBelow(node) * 2 ** (node.mirrors ?? []).length;

const maxRuns = 200;

/** As many of its requests as keep the number of runs small, and at least one. */
export const bounded = (scene: Scenario, root: PlanNode): Scenario => {
  const runs = spread(root);
  return { ...scene, requests: scene.requests.filter((_, index) => index === 0 || runs ** (index + 1) <= maxRuns) };
};

/** What a plan is made of and what happens to it; plans that draw too often to try everything are left out. */
export const partsScenario: fc.Arbitrary<{ readonly plan: PlanParts; readonly scenario: Scenario }> = fc
  .record({ plan: planParts.filter(({ root }) => spread(root) <= maxRuns), scenario })
  .map(({ plan, scenario: scene }) => ({ plan, scenario: bounded(scene, plan.root) }));

/** The same with whole plans, which take longer to make. */
export const planScenario: fc.Arbitrary<{ readonly plan: RoutingPlan; readonly scenario: Scenario }> =
  partsScenario.map(({ plan, scenario: scene }) => ({ plan: sealed(plan), scenario: scene }));
