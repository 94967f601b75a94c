import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toOptionPath } from '../../../schema/json/pointer.ts';
import { usableBranches } from '../../../schema/plan/list-branches.ts';
import type { LeafNode, PlanNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { clientDialects } from '../../capability-gaps/client-dialects.ts';
import type { ComparedTarget } from '../../capability-gaps/compared-target.ts';
import { explainGap, nameGap, wholeGaps } from '../../capability-gaps/describe-gaps.ts';
import { sureFeatures } from '../../capability-gaps/features.ts';
import { findGaps, type Gap, type GapOptions, type LeafGaps } from '../../capability-gaps/find-gaps.ts';
import type { GapNode } from '../../capability-gaps/gap-node.ts';
import type { TargetModel } from '../command-line/services.ts';
import { calledProvider } from './served-leaf.ts';

/** The context of a plan's gaps: its targets, as far as they are known, and the clients in question. */
export interface GapWorld {
  readonly catalogue: Catalogue;
  readonly models?: ReadonlyMap<Target, TargetModel> | undefined;
  /** The dialect of the clients. If absent, the clients of all dialects are compared, with a gap for each dialect. */
  readonly client?: Dialect | undefined;
}

type Targets = Pick<RoutingPlan, 'targets'>;

const askedTarget = (
  leaf: LeafNode,
  { targets }: Targets,
  { catalogue, models }: GapWorld,
): ComparedTarget | undefined => {
  const target = targets[leaf.target];
  const called = target && calledProvider(target, catalogue);
  if (target === undefined || called === undefined) return undefined;
  const { provider, spoken, byModel } = called;
  return {
    ...{ provider, settings: target.settings, model: targetModel(target), spoken: byModel ? [] : spoken },
    ...{ facts: models?.get(target)?.facts, params: target.params.override },
  };
};

const toNode = (node: PlanNode, plan: Targets, world: GapWorld): GapNode<LeafNode> => {
  if (node.kind === 'leaf') return { kind: 'leaf', leaf: node, target: askedTarget(node, plan, world) };
  return {
    ...{ kind: 'group', mode: node.kind, requires: node.kind !== 'conditional' && node.require !== undefined },
    branches: usableBranches(node).map((branch) => toNode(branch, plan, world)),
  };
};

/** Lists for each leaf what requests lose there that another branch of its group serves. */
export const planGaps = (
  plan: Pick<RoutingPlan, 'root' | 'targets'>,
  world: GapWorld,
  further: Pick<GapOptions, 'of' | 'isSure'> = {},
): readonly LeafGaps<LeafNode>[] => {
  const { catalogue, client } = world;
  const clients = client === undefined ? clientDialects(catalogue.dialects) : [client];
  const findDialect = (id: string): Dialect | undefined => catalogue.dialects.get(id);
  return findGaps(toNode(plan.root, plan, world), { clients, findDialect, ...further });
};

const targetId = ({ targets }: Targets, leaf: LeafNode): string => targets[leaf.target]?.id ?? '';

const gapJson = (gap: Gap): JsonObject => {
  switch (gap.kind) {
    case 'not-served':
      return { kind: gap.kind };
    case 'limit':
      return { kind: gap.kind, of: gap.limit.of, most: gap.limit.max };
    case 'feature': {
      const { feature, shortage } = gap;
      const { kind: by, ...more } = shortage;
      return { kind: gap.kind, feature: feature.id, by, ...more };
    }
  }
};

/** Does the same as JSON. */
export const gapsJson = (plan: Pick<RoutingPlan, 'root' | 'targets'>, world: GapWorld): JsonObject => ({
  client: world.client?.id ?? null,
  leaves: planGaps(plan, world).map(({ leaf, beside, gaps }) => ({
    ...{ path: leaf.path, target: targetId(plan, leaf) },
    beside: { path: beside.path, target: targetId(plan, beside) },
    gaps: gaps.map((gap) => ({ ...gapJson(gap), name: nameGap(gap), why: explainGap(gap) })),
  })),
});

/** The maximum number of listed targets; more would not help a reader. */
const maxListed = 50;

/** Does the same as text: a block of lines for each leaf. */
export const gapLines = (plan: Pick<RoutingPlan, 'root' | 'targets'>, world: GapWorld): readonly string[] => {
  const { client } = world;
  // Without a dialect, only the gaps that a check of the config reports: requests may never use the other features.
  const sure = client === undefined ? { of: sureFeatures, isSure: true } : {};
  const all = planGaps(plan, world, sure).flatMap(({ gaps, ...beside }) => {
    const listed = client === undefined ? wholeGaps(gaps) : gaps;
    return listed.length === 0 ? [] : [{ ...beside, gaps: listed }];
  });
  const whose = client === undefined ? '' : `${client.id} `;
  const blocks = all.slice(0, maxListed).flatMap(({ leaf, beside, gaps }) => {
    const rows = gaps.map((gap) => ({ name: nameGap(gap), why: explainGap(gap) }));
    const width = Math.max(...rows.map(({ name }) => name.length));
    return [
      '',
      `what ${whose}requests that ${targetId(plan, beside)} serves lose at ${targetId(plan, leaf)}, ${toOptionPath(leaf.path)}`,
      ...rows.map(({ name, why }) => `  ${name.padEnd(width)}  ${why}`),
    ];
  });
  const left = all.length - maxListed;
  return left > 0 ? [...blocks, '', `… and at ${left} more targets: --format json lists them all`] : blocks;
};
