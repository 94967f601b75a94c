import { listCalledLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import { worstCost } from '../../semantics/bounds.ts';
import { formatPrice } from './describe-model.ts';
import { leafLines, type PlanWorld } from './leaf-lines.ts';
import { gapLines } from './plan-gaps.ts';
import { planTree } from './plan-tree.ts';
import { type PossibleLosses, possibleLosses } from './possible-losses.ts';
import { treeLines } from './tree.ts';
import { formatDuration } from './words.ts';

/**
 * Returns the lines that all leaves of a plan have in common, in the order of the first leaf; empty if there is only one leaf.
 */
const sharedLines = ({ root, targets }: RoutingPlan, world: PlanWorld): readonly string[] => {
  const [first = [], ...others] = listCalledLeaves(root).map((leaf) => {
    const target = targets[leaf.target];
    return target === undefined ? [] : leafLines(leaf, target, world);
  });
  return others.length === 0 ? [] : first.filter((line) => others.every((lines) => lines.includes(line)));
};

const toTitle = ({ of, id }: PossibleLosses): string =>
  of === 'provider' ? `what ${id} does not carry` : `what ${of} translated to ${id} may lose`;

/** Lists possible losses, with a block of lines for each way. */
const lossLines = (possible: readonly PossibleLosses[]): readonly string[] =>
  possible.flatMap((way) => {
    const width = Math.max(...way.losses.map(({ member }) => member.length));
    return ['', toTitle(way), ...way.losses.map(({ member, why }) => `  ${member.padEnd(width)}  ${why}`)];
  });

/**
 * Describes a plan as text: its cost limits, what it needs, its tree, and what the clients of a dialect may lose. Ends with a
 * newline.
 */
export const planText = (plan: RoutingPlan, world: PlanWorld): string => {
  const { name, hash, sources, bounds, requires, targets, root, deadlineMs, maxCostUsd } = plan;
  const shared = sharedLines(plan, world);
  const worst = worstCost(plan, (target) => world.models?.get(target)?.nanoUsd);
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['from', sources.map(({ file }) => file)],
    ['models', world.virtualModels ?? []],
    ['reaches', bounds.targets],
    ['hosts', requires.hosts],
    ['secrets', requires.secrets],
    ['providers', requires.plugins.providers],
    ['checks', requires.plugins.checks],
  ];
  const shown = facts.filter(([, values]) => values.length > 0);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return [
    `${name}  ${hash}`,
    '',
    `At most ${formatCount(bounds.calls, 'upstream call')}; an answer begins within ${formatDuration(bounds.waitMs)}.`,
    ...(deadlineMs === undefined
      ? []
      : [`The request ends ${formatDuration(deadlineMs)} after it was received, also within a stream (deadline_ms).`]),
    ...(maxCostUsd === undefined
      ? []
      : [
          `An attempt that may bring the request above ${formatPrice(maxCostUsd * nanoPerUsd)} is not sent (max_cost_usd).`,
        ]),
    ...(worst === undefined ? [] : [`With every call filled, a request costs at most ${formatPrice(worst)}.`]),
    ...shown.map(([label, values]) => `${label.padEnd(width)}  ${values.join(', ')}`),
    '',
    ...(shared.length === 0 ? [] : ['every target', ...shared.map((line) => `  ${line}`), '']),
    ...treeLines(planTree(root, { targets, world, shared: new Set(shared) })),
    ...lossLines(world.client === undefined ? [] : possibleLosses(plan, world.client, world.catalogue)),
    ...gapLines(plan, world),
    '',
  ]
    .map(printable)
    .join('\n');
};
