import type { Condition, ConditionTest } from '../../schema/plan/condition.ts';
import { usableBranches } from '../../schema/plan/list-branches.ts';
import type { ConditionalNode, PlanNode } from '../../schema/plan/plan.ts';
import { mayBeUnavailable } from '../optimise/may-be-unavailable.ts';
import { metadataName } from './read-metadata.ts';

/** Names of metadata values. */
type NameSet = ReadonlySet<string>;

const nothing: NameSet = new Set();

const union = (a: NameSet, b: NameSet): NameSet => (b.size === 0 ? a : new Set([...a, ...b]));

const intersection = ([first = nothing, ...rest]: readonly NameSet[]): NameSet =>
  new Set([...first].filter((name) => rest.every((set) => set.has(name))));

/** A config that tests whether a value exists also specifies what happens if it does not. */
const neededByTest = ({ path, op }: ConditionTest): NameSet => {
  const name = metadataName(path);
  return name === undefined || op === '$exists' ? nothing : new Set([name]);
};

/** An `all` needs each of its parts; an `any` needs only what all of its parts need. */
const neededByCondition = (condition: Condition): NameSet => {
  switch (condition.kind) {
    case 'test':
      return neededByTest(condition);
    case 'not':
      return neededByCondition(condition.of);
    case 'element':
      return nothing;
    case 'all':
      return condition.of.map(neededByCondition).reduce(union, nothing);
    case 'any':
      return intersection(condition.of.map(neededByCondition));
  }
};

/** A request that ends in case n has read the conditions of the cases 0 to n, and whatever its branch reads. */
const neededByConditional = ({ cases, otherwise, branches }: ConditionalNode): NameSet => {
  const ways: NameSet[] = [];
  let read = nothing;
  const end = (branch: number): void => {
    const node = branches[branch];
    ways.push(node === undefined ? read : union(read, neededMetadata(node)));
  };
  for (const { when, branch } of cases) {
    read = union(read, neededByCondition(when));
    end(branch);
  }
  end(otherwise);
  return intersection(ways);
};

/** A fallback begins with its first branch, unless a circuit may skip that one. */
const firstBranches = (branches: readonly PlanNode[]): readonly PlanNode[] => {
  const sure = branches.findIndex((branch) => !mayBeUnavailable(branch));
  return sure === -1 ? branches : branches.slice(0, sure + 1);
};

/**
 * Returns the metadata that every way through the plan reads. A caller who omits such a value leaves a decision to chance, so
 * these members of `Metadata` are required. The order of a config's keys does not matter.
 */
export const neededMetadata = (node: PlanNode): NameSet => {
  switch (node.kind) {
    case 'leaf':
      return nothing;
    case 'loadbalance':
      return intersection(usableBranches(node).map(neededMetadata));
    case 'fallback':
      return intersection(firstBranches(node.branches).map(neededMetadata));
    case 'conditional':
      return neededByConditional(node);
  }
};
