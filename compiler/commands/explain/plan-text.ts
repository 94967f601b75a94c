import type { RoutingPlan } from '../../../schema/plan.ts';
import type { PassThrough } from './leaf-lines.ts';
import { planTree } from './plan-tree.ts';
import { sharedLines } from './shared-lines.ts';
import { treeLines } from './tree.ts';
import { countWords, durationWords } from './words.ts';

/** What the gateway file adds to a plan. */
export interface GatewayRules {
  readonly passThrough?: PassThrough | undefined;
}

/** A plan for a person: what it may cost, what it needs, and its tree. Ends with a newline. */
export const planText = (plan: RoutingPlan, { passThrough }: GatewayRules = {}): string => {
  const { name, hash, sources, bounds, requires, targets, root } = plan;
  const shared = sharedLines(plan, passThrough);
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
    `At most ${countWords(bounds.calls, 'upstream call')}; an answer begins within ${durationWords(bounds.waitMs)}.`,
    ...shown.map(([label, values]) => `${label.padEnd(width)}  ${values.join(', ')}`),
    '',
    ...(shared.length === 0 ? [] : ['every target', ...shared.map((line) => `  ${line}`), '']),
    ...treeLines(planTree(root, { targets, passThrough, shared: new Set(shared) })),
    '',
  ].join('\n');
};
