import { usableBranches } from '../../schema/plan/list-branches.ts';
import type { FallbackNode, LeafNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import type { LeafIdentity } from './leaf-identity.ts';

/** The state of targets when a request arrives. */
export interface Situation {
  /** Identities (`whole`) of the leaves that an open circuit makes unavailable. */
  readonly open: ReadonlySet<string>;
  /** Identities (`call`) of the leaves that are unable to serve the request. */
  readonly unable: ReadonlySet<string>;
}

/** Every circuit is closed, and every target can serve the request. */
export const healthySituation: Situation = { open: new Set(), unable: new Set() };

/** Returns the identity of a leaf of one plan. */
export type Identify = (leaf: LeafNode) => LeafIdentity;

interface World {
  readonly identify: Identify;
  readonly situation: Situation;
}

/** Throws, because only trees with decided conditions are compared. */
export const isUndecided = (): never => {
  throw new TypeError('A condition of the plan is not decided.');
};

const isAble = (node: PlanNode, world: World): boolean => {
  switch (node.kind) {
    case 'leaf':
      return !world.situation.unable.has(world.identify(node).call);
    case 'fallback':
    case 'loadbalance':
      return usableBranches(node).some((branch) => isAble(branch, world));
    case 'conditional':
      return isUndecided();
  }
};

const isAvailable = (node: PlanNode, world: World): boolean => {
  switch (node.kind) {
    case 'leaf':
      return findStage(node, 'breaker') === undefined || !world.situation.open.has(world.identify(node).whole);
    case 'fallback':
    case 'loadbalance': {
      const able = ableBranches(node, world);
      return able.length === 0 || able.some((branch) => isAvailable(branch, world));
    }
    case 'conditional':
      return isUndecided();
  }
};

const ableBranches = (node: FallbackNode | LoadbalanceNode, world: World): readonly PlanNode[] =>
  node.require === undefined ? usableBranches(node) : usableBranches(node).filter((branch) => isAble(branch, world));

/**
 * Returns the branches that a group uses: the available branches among those that are able, or all able ones if none is
 * available; none if none is able. The rules are those of `../semantics/meaning.ts`, for a tree in which every condition is
 * decided.
 */
export const usedBranches = (node: FallbackNode | LoadbalanceNode, world: World): readonly PlanNode[] => {
  const able = ableBranches(node, world);
  const available = able.filter((branch) => isAvailable(branch, world));
  return available.length > 0 ? available : able;
};
