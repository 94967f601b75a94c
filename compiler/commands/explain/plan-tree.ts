import type { ConditionalNode, LeafNode, LoadbalanceNode, PlanNode, RoutingPlan } from '../../../schema/plan.ts';
import { toOptionPath } from '../../../schema/pointer.ts';
import { conditionWords } from './condition-words.ts';
import { needsWords } from './needs-words.ts';
import { stageWords } from './stage-words.ts';
import { statusWords } from './status-words.ts';
import { providerWords, targetWords } from './target-words.ts';
import type { Tree } from './tree.ts';

type Targets = RoutingPlan['targets'];

/** Puts a line above a tree's own: why or how often one comes here. */
const reached = (how: string, tree: Tree): Tree => ({ ...tree, label: `${how}: ${tree.label}` });

const leafTree = ({ path, target: index, stages, needs }: LeafNode, targets: Targets): Tree => {
  const target = targets[index];
  if (target === undefined) throw new RangeError(`The plan has no target ${index}.`);
  return {
    label: `${target.id}  ${providerWords(target)}  ${toOptionPath(path)}`,
    details: [...targetWords(target), ...stages.map(stageWords), ...needsWords(needs, target)],
    children: [],
  };
};

const loadbalanceTree = ({ path, branches }: LoadbalanceNode, targets: Targets): Tree => {
  const sum = branches.reduce((total, { weight }) => total + weight, 0);
  return {
    label: `load balance  ${toOptionPath(path)}`,
    details: [],
    children: branches.map(({ weight, node }, index) =>
      reached(
        `branch ${index + 1}, ${weight} of ${sum} (${Math.round((weight / sum) * 1000) / 10} %)`,
        planTree(node, targets),
      ),
    ),
  };
};

/** A branch is drawn where the first case leads to it; later cases only name it. */
const conditionalTree = ({ path, cases, otherwise, branches }: ConditionalNode, targets: Targets): Tree => {
  const drawn = new Set<number>();
  const ways = [
    ...cases.map(({ when, branch }) => ({ how: `when ${conditionWords(when)}`, branch })),
    { how: 'otherwise', branch: otherwise },
  ];
  const children = ways.map(({ how, branch }): Tree => {
    const node = branches[branch];
    if (drawn.has(branch) || node === undefined)
      return { label: `branch ${branch + 1} too, ${how}`, details: [], children: [] };
    drawn.add(branch);
    return reached(`branch ${branch + 1}, ${how}`, planTree(node, targets));
  });
  return { label: `conditional  ${toOptionPath(path)}`, details: [], children };
};

/** A node of a plan, in words. */
export const planTree = (node: PlanNode, targets: Targets): Tree => {
  switch (node.kind) {
    case 'leaf':
      return leafTree(node, targets);
    case 'loadbalance':
      return loadbalanceTree(node, targets);
    case 'fallback':
      return {
        label: `fallback on ${statusWords(node.on)}  ${toOptionPath(node.path)}`,
        details: [],
        children: node.branches.map((branch, index) => reached(`branch ${index + 1}`, planTree(branch, targets))),
      };
    case 'conditional':
      return conditionalTree(node, targets);
  }
};
