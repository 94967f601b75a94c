import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { factRoots } from '../../schema/plan/condition-features.ts';
import { hashPlan } from '../../schema/plan/hash-plan.ts';
import { listNodesOf } from '../../schema/plan/list-branches.ts';
import { type PlanNode, type PlanSource, planFormat, type RoutingPlan, type Target } from '../../schema/plan/plan.ts';
import { pickBounds, type RequestBounds } from '../../schema/plan/request-bounds.ts';
import { measureBounds } from '../semantics/bounds.ts';
import { keepReached } from './keep-reached.ts';
import { toRequirements } from './to-requirements.ts';

/** Whether a condition of the tree reads the body. */
const readsParams = (root: PlanNode): boolean =>
  listNodesOf('conditional', root).some(({ cases }) => cases.some(({ when }) => factRoots(when).has('params')));

export interface PlanParts extends RequestBounds {
  readonly root: PlanNode;
  readonly targets: readonly Target[];
  readonly name: string;
  /** Lists the texts that it is compiled from. Their hashes are needed only for a plan. */
  readonly sources: () => readonly PlanSource[];
  readonly catalogue: Catalogue;
}

/** Builds the whole plan of a tree: its requirements, its bounds, and its hash. */
export const sealPlan = ({ name, sources: listSources, catalogue, ...parts }: PlanParts): RoutingPlan => {
  const sources = listSources();
  const { root, targets } = keepReached(parts.root, parts.targets);
  const bounds = pickBounds(parts);
  const content = {
    format: planFormat,
    requires: toRequirements({ ...bounds, root, targets }, catalogue),
    bounds: measureBounds(root, targets, bounds),
    ...bounds,
    readsParams: readsParams(root),
    targets,
    root,
  } as const;
  return { ...content, name, sources, hash: hashPlan({ ...content, name, sources }) };
};
