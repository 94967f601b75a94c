import { mayDeny } from '../../../schema/may-deny.ts';
import type { ConditionalNode, LeafNode, LoadbalanceNode, PlanNode, RoutingPlan } from '../../../schema/plan.ts';
import { toOptionPath } from '../../../schema/pointer.ts';
import { conditionWords } from './condition-words.ts';
import { needsWords } from './needs-words.ts';
import { stageWords } from './stage-words.ts';
import { statusWords } from './status-words.ts';
import { providerWords, targetWords } from './target-words.ts';
import type { Tree } from './tree.ts';

/** What the drawing of a plan's nodes shares. */
export interface PlanView {
  readonly targets: RoutingPlan['targets'];
  /** The gateway file's `pass_through`. */
  readonly passThrough?: 'judged' | 'allow' | undefined;
}

/** Puts a line above a tree's own: why or how often one comes here. */
const reached = (how: string, tree: Tree): Tree => ({ ...tree, label: `${how}: ${tree.label}` });

/** What becomes of bodies that the leaf's checks cannot read, where one of them may deny. */
const unjudgedWords = (leaf: LeafNode, { passThrough }: PlanView): readonly string[] => {
  if (!mayDeny(leaf)) return [];
  return passThrough === 'allow'
    ? ['a body on a path that is not modelled passes unjudged (pass_through: "allow" in the gateway file)']
    : ['a body on a path that is not modelled is refused (403), since no check can judge it'];
};

const leafTree = (leaf: LeafNode, view: PlanView): Tree => {
  const { path, target: index, stages, needs } = leaf;
  const target = view.targets[index];
  if (target === undefined) throw new RangeError(`The plan has no target ${index}.`);
  return {
    label: `${target.id}  ${providerWords(target)}  ${toOptionPath(path)}`,
    details: [
      ...targetWords(target),
      ...stages.map(stageWords),
      ...needsWords(needs, target),
      ...unjudgedWords(leaf, view),
    ],
    children: [],
  };
};

const loadbalanceTree = ({ path, branches }: LoadbalanceNode, view: PlanView): Tree => {
  const sum = branches.reduce((total, { weight }) => total + weight, 0);
  return {
    label: `load balance  ${toOptionPath(path)}`,
    details: [],
    children: branches.map(({ weight, node }, index) =>
      reached(
        `branch ${index + 1}, ${weight} of ${sum} (${Math.round((weight / sum) * 1000) / 10} %)`,
        planTree(node, view),
      ),
    ),
  };
};

/** A branch is drawn where the first case leads to it; later cases only name it. */
const conditionalTree = ({ path, cases, otherwise, branches }: ConditionalNode, view: PlanView): Tree => {
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
    return reached(`branch ${branch + 1}, ${how}`, planTree(node, view));
  });
  return { label: `conditional  ${toOptionPath(path)}`, details: [], children };
};

/** A node of a plan, in words. */
export const planTree = (node: PlanNode, view: PlanView): Tree => {
  switch (node.kind) {
    case 'leaf':
      return leafTree(node, view);
    case 'loadbalance':
      return loadbalanceTree(node, view);
    case 'fallback':
      return {
        label: `fallback on ${statusWords(node.on)}  ${toOptionPath(node.path)}`,
        details: [],
        children: node.branches.map((branch, index) => reached(`branch ${index + 1}`, planTree(branch, view))),
      };
    case 'conditional':
      return conditionalTree(node, view);
  }
};
