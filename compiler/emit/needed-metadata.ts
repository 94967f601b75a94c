import type { Condition, ConditionTest } from '../../schema/plan/condition.ts';
import type { ConditionalNode, PlanNode } from '../../schema/plan/plan.ts';
import { mayBeUnavailable } from '../optimise/may-be-unavailable.ts';

/** Metadata paths by their canonical text (the JSON of the keys after `metadata`). */
export type PathSet = ReadonlySet<string>;

const nothing: PathSet = new Set();

const union = (a: PathSet, b: PathSet): PathSet => (b.size === 0 ? a : new Set([...a, ...b]));

const intersection = ([first = nothing, ...rest]: readonly PathSet[]): PathSet =>
  new Set([...first].filter((path) => rest.every((set) => set.has(path))));

/** The text that stands for a path in a `PathSet`. */
export const pathKey = (keys: readonly string[]): string => JSON.stringify(keys);

/** A config that asks whether a value is there also says what happens where it is not. */
const neededByTest = ({ path: [root, ...keys], op }: ConditionTest): PathSet =>
  root === 'metadata' && keys.length > 0 && op !== '$exists' ? new Set([pathKey(keys)]) : nothing;

/** An `all` needs each of its parts, an `any` only what every one of its parts needs. */
const neededByCondition = (condition: Condition): PathSet => {
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
const neededByConditional = ({ cases, otherwise, branches }: ConditionalNode): PathSet => {
  const ways: PathSet[] = [];
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

/** A fallback begins with its first branch, unless a circuit may leave that one out. */
const firstBranches = (branches: readonly PlanNode[]): readonly PlanNode[] => {
  const sure = branches.findIndex((branch) => !mayBeUnavailable(branch));
  return sure === -1 ? branches : branches.slice(0, sure + 1);
};

/**
 * The metadata that every way through the plan reads, so that a caller who leaves one out leaves a decision to chance:
 * these members of `Metadata` are required. The order of a config's keys has no say in it.
 */
export const neededMetadata = (node: PlanNode): PathSet => {
  switch (node.kind) {
    case 'leaf':
      return nothing;
    case 'loadbalance':
      return intersection(
        node.branches.filter(({ weight }) => weight > 0).map((branch) => neededMetadata(branch.node)),
      );
    case 'fallback':
      return intersection(firstBranches(node.branches).map(neededMetadata));
    case 'conditional':
      return neededByConditional(node);
  }
};
