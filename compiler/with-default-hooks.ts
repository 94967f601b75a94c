import type { Catalogue } from '../plugins/sdk/plugin/catalogue.ts';
import { isNonEmpty } from '../schema/json/json.ts';
import { hashLeaf } from '../schema/plan/hash-plan.ts';
import { listLeaves } from '../schema/plan/list-leaves.ts';
import { mapLeaves } from '../schema/plan/map-branches.ts';
import {
  type CheckHook,
  type LeafNode,
  type RoutingPlan,
  type Stage,
  type StageKind,
  stageOrder,
  type Target,
} from '../schema/plan/plan.ts';
import { pickBounds } from '../schema/plan/request-bounds.ts';
import { findStage } from '../schema/plan/stages.ts';
import { findNeeds } from './lower/find-needs.ts';
import { sealPlan } from './lower/seal-plan.ts';

type CheckKind = 'input-checks' | 'output-checks';
type DefaultHooks = { readonly [Kind in CheckKind]: readonly CheckHook[] };

const toHooks = (leaf: LeafNode | undefined, kind: CheckKind): readonly CheckHook[] =>
  leaf === undefined ? [] : (findStage(leaf, kind)?.hooks ?? []);

const isChecks = (kind: StageKind): kind is CheckKind => kind === 'input-checks' || kind === 'output-checks';

const toStages = (leaf: LeafNode, defaults: DefaultHooks): readonly Stage[] =>
  stageOrder.flatMap((kind): readonly Stage[] => {
    if (!isChecks(kind)) return leaf.stages.filter((stage) => stage.kind === kind);
    const hooks = [...toHooks(leaf, kind), ...defaults[kind]];
    return isNonEmpty(hooks) ? [{ kind, hooks }] : [];
  });

const withHooks = (leaf: LeafNode, target: Target, defaults: DefaultHooks): LeafNode => {
  const stages = toStages(leaf, defaults);
  return { ...leaf, stages, hash: hashLeaf(target, stages), needs: findNeeds(target, stages) };
};

/**
 * Returns the plan with the hooks of the only leaf of `defaults` appended to those of every leaf, as if its config had them
 * there. The hooks are those of `defaults`, not copies. The catalogue is that of both plans.
 */
export const withDefaultHooks = (plan: RoutingPlan, defaults: RoutingPlan, catalogue: Catalogue): RoutingPlan => {
  const [from] = listLeaves(defaults.root);
  const hooks = { 'input-checks': toHooks(from, 'input-checks'), 'output-checks': toHooks(from, 'output-checks') };
  const { name, sources, targets } = plan;
  const root = mapLeaves(plan.root, (leaf) => {
    const target = targets[leaf.target];
    return target === undefined ? leaf : withHooks(leaf, target, hooks);
  });
  return sealPlan({ ...pickBounds(plan), root, targets, name, sources: () => sources, catalogue });
};
