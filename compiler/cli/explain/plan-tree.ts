import { toOptionPath } from '../../../schema/json/pointer.ts';
import type {
  ConditionalNode,
  GroupNode,
  LeafNode,
  LoadbalanceNode,
  Mirror,
  PlanNode,
  Target,
} from '../../../schema/plan/plan.ts';
import { describeCondition } from './describe-condition.ts';
import { describeBalance, describeContinue, describeHedge, describeRequire } from './describe-group.ts';
import { describeStatus } from './describe-status.ts';
import { describeProvider } from './describe-target.ts';
import { leafLines, type PlanWorld } from './leaf-lines.ts';
import type { Tree } from './tree.ts';

export interface PlanTreeOptions {
  readonly targets: readonly Target[];
  /** Lines that apply to every leaf and are not repeated at each. */
  readonly shared: ReadonlySet<string>;
  readonly world: PlanWorld;
}

/** Prefixes a tree's label with why or how often its node is reached. */
const reached = (how: string, tree: Tree): Tree => ({ ...tree, label: `${how}: ${tree.label}` });

/** Returns a group's kind, its name if it has one, and its place in the config. */
const groupLabel = (what: string, { path, name }: GroupNode): string =>
  `${name === undefined ? '' : `${name}  `}${what}  ${toOptionPath(path)}`;

const leafTree = (leaf: LeafNode, { targets, shared, world }: PlanTreeOptions): Tree => {
  const target = targets[leaf.target];
  if (target === undefined) throw new RangeError(`The plan has no target ${leaf.target}.`);
  return {
    label: `${target.id}  ${describeProvider(target)}  ${toOptionPath(leaf.path)}`,
    details: leafLines(leaf, target, world).filter((line) => !shared.has(line)),
    children: [],
  };
};

const loadbalanceTree = (node: LoadbalanceNode, options: PlanTreeOptions): Tree => {
  const sum = node.branches.reduce((total, { weight }) => total + weight, 0);
  return {
    label: groupLabel(`load balance${describeBalance(node)}${describeRequire(node)}`, node),
    details: [],
    children: node.branches.map(({ weight, node: branch }) =>
      reached(
        node.balance === undefined
          ? `${weight} of ${sum} (${Math.round((weight / sum) * 1000) / 10} %)`
          : `weight ${weight}`,
        planTree(branch, options),
      ),
    ),
  };
};

/** A branch is drawn where the first case leads to it; later cases only name it. */
const conditionalTree = (node: ConditionalNode, options: PlanTreeOptions): Tree => {
  const drawn = new Set<number>();
  const ways = [
    ...node.cases.map(({ when, branch }) => ({ how: `when ${describeCondition(when)}`, branch })),
    { how: 'otherwise', branch: node.otherwise },
  ];
  const children = ways.flatMap(({ how, branch: index }): readonly Tree[] => {
    const branch = node.branches[index];
    if (branch === undefined) return [];
    if (drawn.has(index))
      return [{ label: `${how}: ${toOptionPath(branch.path)} as above`, details: [], children: [] }];
    drawn.add(index);
    return [reached(how, planTree(branch, options))];
  });
  return { label: groupLabel('conditional', node), details: [], children };
};

/** The checks of a copy's answer are a stage of its target. */
const mirrorTree = ({ percent, leaf }: Mirror, options: PlanTreeOptions): Tree =>
  reached(`copied in ${percent} % of requests, in the background`, leafTree(leaf, options));

const bareTree = (node: PlanNode, options: PlanTreeOptions): Tree => {
  switch (node.kind) {
    case 'leaf':
      return leafTree(node, options);
    case 'loadbalance':
      return loadbalanceTree(node, options);
    case 'fallback':
      return {
        label: groupLabel(
          `fallback on ${describeStatus(node.on)}${describeHedge(node)}${describeContinue(node)}${describeRequire(node)}`,
          node,
        ),
        details: [],
        children: node.branches.map((branch, index) =>
          reached(index === 0 ? 'first' : 'then', planTree(branch, options)),
        ),
      };
    case 'conditional':
      return conditionalTree(node, options);
  }
};

/** Describes a node of a plan in words. A branch is named by its place in the config, as in answer headers and trails. */
export const planTree = (node: PlanNode, options: PlanTreeOptions): Tree => {
  const tree = bareTree(node, options);
  const { mirrors } = node;
  return mirrors === undefined
    ? tree
    : { ...tree, children: [...tree.children, ...mirrors.map((mirror) => mirrorTree(mirror, options))] };
};
