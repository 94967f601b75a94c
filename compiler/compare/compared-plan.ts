import { listCalledLeaves } from '../../schema/plan/list-leaves.ts';
import type { LeafNode, PlanNode, RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { rewritePlan } from '../optimise/rewrite-plan.ts';
import { type LeafIdentity, leafIdentity } from './leaf-identity.ts';
import type { Numbers } from './numbers.ts';
import type { Identify } from './situation.ts';

/** The parts of a plan that are compared. */
export type ComparedPlan = Pick<RoutingPlan, 'root' | 'targets' | 'deadlineMs' | 'maxCostUsd'>;

/** Returns the target of a leaf. */
export const targetOf = ({ targets }: Pick<ComparedPlan, 'targets'>, { target: index }: LeafNode): Target => {
  const target = targets[index];
  if (target === undefined) throw new RangeError(`The plan has no target ${index}.`);
  return target;
};

/** A plan after its rewrites, and the identities of its leaves: short texts that are the same in both compared plans. */
export interface Side {
  readonly plan: ComparedPlan;
  readonly root: PlanNode;
  readonly identify: Identify;
}

/** Prepares a plan for comparison. */
export const toSide = (plan: ComparedPlan, numbers: Numbers): Side => {
  const known = new Map<string, LeafIdentity>();
  return {
    plan,
    root: rewritePlan(plan.root),
    identify: (leaf) => {
      const key = `${leaf.target} ${leaf.hash}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const { call, whole } = leafIdentity(leaf, targetOf(plan, leaf));
      const identity = { call: `${numbers.toId(call)}`, whole: `${numbers.toId(whole)}` };
      known.set(key, identity);
      return identity;
    },
  };
};

/** A call whose settings differ, with the leaves that make it. */
export interface SettingsChange {
  /** The identity of the call. */
  readonly call: string;
  readonly before: readonly LeafNode[];
  readonly after: readonly LeafNode[];
}

type LeavesByCall = ReadonlyMap<string, ReadonlyMap<string, LeafNode>>;

/** Returns the leaves of a tree by their calls; leaves with the same settings appear once. */
const leavesByCall = (root: PlanNode, identify: Identify): LeavesByCall => {
  const calls = new Map<string, Map<string, LeafNode>>();
  for (const leaf of listCalledLeaves(root)) {
    const { call, whole } = identify(leaf);
    const leaves = calls.get(call) ?? new Map<string, LeafNode>();
    if (!leaves.has(whole)) leaves.set(whole, leaf);
    calls.set(call, leaves);
  }
  return calls;
};

/** A tree, and the identities of its leaves. */
export type IdentifiedTree = Pick<Side, 'root' | 'identify'>;

/** Returns the leaves of the calls that only the first of two trees makes, by these calls. */
export const ownCalls = (one: IdentifiedTree, other: IdentifiedTree): ReadonlyMap<string, readonly LeafNode[]> => {
  const others = leavesByCall(other.root, other.identify);
  const own = [...leavesByCall(one.root, one.identify)].filter(([call]) => !others.has(call));
  return new Map(own.map(([call, leaves]) => [call, [...leaves.values()]]));
};

/** Returns the calls that both trees make, but with different settings. */
export const settingsChanges = (before: IdentifiedTree, after: IdentifiedTree): readonly SettingsChange[] => {
  const [own, others] = [leavesByCall(before.root, before.identify), leavesByCall(after.root, after.identify)];
  return [...own].flatMap(([call, leaves]) => {
    const now = others.get(call);
    if (now === undefined || (now.size === leaves.size && [...leaves.keys()].every((whole) => now.has(whole))))
      return [];
    return [{ call, before: [...leaves.values()], after: [...now.values()] }];
  });
};
