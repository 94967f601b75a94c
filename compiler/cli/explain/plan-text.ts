import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { countOf } from '../../../schema/text/count-of.ts';
import type { PlanWorld } from './leaf-lines.ts';
import { lossLines } from './loss-lines.ts';
import { planTree } from './plan-tree.ts';
import { possibleLosses } from './possible-losses.ts';
import { sharedLines } from './shared-lines.ts';
import { treeLines } from './tree.ts';
import { formatDuration } from './words.ts';

/**
 * A plan for a person: what it may cost, what it needs, its tree, and what the clients of a dialect may lose. Ends with a
 * newline.
 */
export const planText = (plan: RoutingPlan, world: PlanWorld): string => {
  const { name, hash, sources, bounds, requires, targets, root } = plan;
  const shared = sharedLines(plan, world);
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['from', sources.map(({ file }) => file)],
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
    `At most ${countOf(bounds.calls, 'upstream call')}; an answer begins within ${formatDuration(bounds.waitMs)}.`,
    ...shown.map(([label, values]) => `${label.padEnd(width)}  ${values.join(', ')}`),
    '',
    ...(shared.length === 0 ? [] : ['every target', ...shared.map((line) => `  ${line}`), '']),
    ...treeLines(planTree(root, { targets, world, shared: new Set(shared) })),
    ...lossLines(world.client === undefined ? [] : possibleLosses(plan, world.client, world.catalogue)),
    '',
  ].join('\n');
};
