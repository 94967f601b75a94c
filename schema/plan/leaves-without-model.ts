import { listCalledLeaves } from './list-leaves.ts';
import type { LeafNode, RoutingPlan, Target } from './plan.ts';

const isNamed = (model: unknown): boolean => typeof model === 'string' && model !== '';

/** A stored prompt has a model of its own. */
const setsModel = ({ params, model, prompt, from }: Target): boolean =>
  prompt !== undefined || from.kind === 'prompt' || isNamed(params.override.model ?? model);

/** A leaf for which no virtual model can stand, and what it leaves to the request. */
export interface OpenLeaf {
  readonly leaf: LeafNode;
  readonly leaves: 'model' | 'provider';
}

/**
 * Lists the leaves of a plan that call the model or the provider that the request names. The name of a virtual model means
 * nothing to a provider, so every leaf behind a virtual model must set both.
 */
export const leavesWithoutModel = ({ root, targets }: Pick<RoutingPlan, 'root' | 'targets'>): readonly OpenLeaf[] =>
  listCalledLeaves(root).flatMap((leaf): readonly OpenLeaf[] => {
    const target = targets[leaf.target];
    if (target === undefined) return [];
    if (target.from.kind === 'request') return [{ leaf, leaves: 'provider' }];
    return setsModel(target) ? [] : [{ leaf, leaves: 'model' }];
  });
