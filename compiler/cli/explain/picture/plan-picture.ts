import { type JsonPointer, toOptionPath } from '../../../../schema/json/pointer.ts';
import { listLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { LeafNode, PlanNode, RoutingPlan } from '../../../../schema/plan/plan.ts';
import { targetModel } from '../../../../schema/plan/target-model.ts';
import { formatCount } from '../../../../schema/text/format-count.ts';
import { describeCondition } from '../describe-condition.ts';
import { describeBalance, describeContinue, describeHedge, describeRequire } from '../describe-group.ts';
import { describeStage } from '../describe-stage.ts';
import { describeStatus } from '../describe-status.ts';
import { describeProvider, describeTarget } from '../describe-target.ts';
import { formatDuration } from '../words.ts';
import { cutText } from './cut-text.ts';

/** A node of a plan as it is drawn. */
export interface PictureNode {
  readonly kind: PlanNode['kind'] | 'more';
  /** One line each, cut to fit a box. */
  readonly title: string;
  readonly subtitle: string;
  /** Its place in the config; for the box that counts the rest of a group, the place of the group. */
  readonly path: JsonPointer;
  /** The id of a leaf's target. */
  readonly target?: string;
  /** Everything that the plan states about it, one line each, for details that do not fit a box. */
  readonly details: readonly string[];
  readonly branches: readonly PictureBranch[];
}

export interface PictureBranch {
  /** Why, or how often, requests go there. */
  readonly label: string;
  /** Whether it gets copies of requests in the background. */
  readonly isCopy: boolean;
  readonly node: PictureNode;
}

/** A plan as a tree of boxes. Their number is limited, whatever the size of the plan. */
export interface PlanPicture {
  readonly name: string;
  readonly root: PictureNode;
}

/** The maximum number of boxes in all, and of one group. The rest is one box with their number. */
const maxNodes = 400;
const defaultBranches = 60;

/** How much of a plan is drawn. */
export interface PictureOptions {
  /** The maximum number of branches of one group; 60 if absent. */
  readonly maxBranches?: number;
  /** The places of groups that are drawn with all their branches, up to the maximum number of boxes; none if absent. */
  readonly whole?: ReadonlySet<JsonPointer>;
}

const maxTitle = 26;
const maxSubtitle = 34;
const maxLabel = 40;
const maxDetail = 400;
const maxDetails = 40;

type Targets = Pick<RoutingPlan, 'targets'>;

/** A branch of a node before it is drawn. */
interface Way {
  readonly label: string;
  readonly isCopy: boolean;
  readonly node: PlanNode;
}

const percentOf = (weight: number, all: number): string => `${Math.round((weight / all) * 1000) / 10} %`;

/** Returns the ways of a conditional: one for each branch that a case leads to, with all of its conditions. */
const conditionalWays = ({
  cases,
  branches,
  otherwise,
}: Extract<PlanNode, { kind: 'conditional' }>): readonly Way[] => {
  const labels = new Map<number, string[]>();
  const add = (branch: number, label: string): void => {
    labels.set(branch, [...(labels.get(branch) ?? []), label]);
  };
  for (const { when, branch } of cases) add(branch, describeCondition(when));
  add(otherwise, 'otherwise');
  return [...labels].flatMap(([index, all]) => {
    const node = branches[index];
    return node === undefined ? [] : [{ label: all.join(', or '), isCopy: false, node }];
  });
};

const ownWays = (node: PlanNode): readonly Way[] => {
  switch (node.kind) {
    case 'leaf':
      return [];
    case 'loadbalance': {
      const all = node.branches.reduce((sum, { weight }) => sum + weight, 0);
      return node.branches.map(({ weight, node: branch }) => ({
        label: node.balance === undefined ? percentOf(weight, all) : `weight ${weight}`,
        ...{ isCopy: false, node: branch },
      }));
    }
    case 'fallback':
      return node.branches.map((branch, index) => ({
        label: index === 0 ? 'first' : `then, on ${describeStatus(node.on)}`,
        ...{ isCopy: false, node: branch },
      }));
    case 'conditional':
      return conditionalWays(node);
  }
};

const waysOf = (node: PlanNode): readonly Way[] => [
  ...ownWays(node),
  ...(node.mirrors ?? []).map(({ percent, leaf }) => ({ label: `${percent} % copied`, isCopy: true, node: leaf })),
];

const describeStages = ({ stages }: LeafNode): string => stages.map(({ kind }) => kind.replace('-', ' ')).join(', ');

const leafTexts = (leaf: LeafNode, { targets }: Targets): readonly [title: string, subtitle: string] => {
  const target = targets[leaf.target];
  if (target === undefined) return [toOptionPath(leaf.path), ''];
  const { from } = target;
  const provider =
    from.kind === 'inline' ? from.provider : from.kind === 'saved' ? `@${from.slug}` : 'the provider of the caller';
  const what = [provider, targetModel(target), describeStages(leaf)];
  return [target.id, what.filter((text) => text !== undefined && text !== '').join(', ')];
};

const groupTexts = (node: Exclude<PlanNode, LeafNode>): readonly [title: string, subtitle: string] => {
  switch (node.kind) {
    case 'loadbalance':
      return ['load balance', node.balance === undefined ? '' : `by ${node.balance}`];
    case 'fallback':
      return ['fallback', node.hedge === undefined ? '' : `hedged after ${formatDuration(node.hedge.afterMs)}`];
    case 'conditional':
      return ['conditional', ''];
  }
};

const toTexts = (node: PlanNode, plan: Targets): Pick<PictureNode, 'title' | 'subtitle'> => {
  const [title, subtitle] = node.kind === 'leaf' ? leafTexts(node, plan) : groupTexts(node);
  const named = node.kind === 'leaf' || node.name === undefined ? title : node.name;
  const also = named === title ? subtitle : [title, subtitle].filter((text) => text !== '').join(', ');
  const place = toOptionPath(node.path);
  return { title: cutText(named, maxTitle), subtitle: cutText(also === '' ? place : also, maxSubtitle) };
};

/** Describes in words the rule by which a group distributes requests. */
const describeGroup = (node: Exclude<PlanNode, LeafNode>): string => {
  switch (node.kind) {
    case 'loadbalance':
      return `load balance${describeBalance(node)}${describeRequire(node)}`;
    case 'fallback':
      return `fallback on ${describeStatus(node.on)}${describeHedge(node)}${describeContinue(node)}${describeRequire(node)}`;
    case 'conditional':
      return 'conditional: the first case that matches chooses the branch';
  }
};

const leafDetails = (leaf: LeafNode, { targets }: Targets): readonly string[] => {
  const target = targets[leaf.target];
  const stages = leaf.stages.map(describeStage);
  return target === undefined ? stages : [describeProvider(target), ...describeTarget(target), ...stages];
};

const toDetails = (node: PlanNode, plan: Targets): readonly string[] =>
  [toOptionPath(node.path), ...(node.kind === 'leaf' ? leafDetails(node, plan) : [describeGroup(node)])]
    .slice(0, maxDetails)
    .map((line) => cutText(line, maxDetail));

const toMore = (path: JsonPointer, left: readonly Way[]): PictureBranch => {
  const leaves = left.reduce((sum, { node }) => sum + listLeaves(node).length, 0);
  const title = cutText(`${formatCount(leaves, 'more target')}`, maxTitle);
  const node: PictureNode = { ...{ kind: 'more', title, subtitle: '', path, details: [], branches: [] } };
  return { label: '', isCopy: false, node };
};

/** Builds the tree of boxes of a plan. */
export const planPicture = (
  { name, root, targets }: Pick<RoutingPlan, 'name' | 'root' | 'targets'>,
  { maxBranches = defaultBranches, whole = new Set() }: PictureOptions = {},
): PlanPicture => {
  let drawn = 1;
  const draw = (node: PlanNode): PictureNode => {
    const ways = waysOf(node);
    const max = whole.has(node.path) ? maxNodes : maxBranches;
    const branches: PictureBranch[] = [];
    for (const [index, way] of ways.entries()) {
      if (drawn >= maxNodes || index >= max) {
        branches.push(toMore(node.path, ways.slice(index)));
        break;
      }
      drawn += 1;
      branches.push({ label: cutText(way.label, maxLabel), isCopy: way.isCopy, node: draw(way.node) });
    }
    const target = node.kind === 'leaf' ? targets[node.target]?.id : undefined;
    return {
      ...{ kind: node.kind, ...toTexts(node, { targets }), path: node.path },
      ...(target === undefined ? {} : { target }),
      ...{ details: toDetails(node, { targets }), branches },
    };
  };
  return { name: cutText(name, maxLabel), root: draw(root) };
};
