import type { Step } from './step.ts';

const count = (steps: readonly Step[], actions: readonly Step['action'][]): number =>
  steps.filter(({ action }) => actions.includes(action)).length;

const toTitle = (step: Step): string => {
  if (step.action === 'release')
    return step.found === undefined ? 'forget: it no longer exists' : 'release: it existed before, and stays';
  if (step.action === 'replace')
    return 'replace: a new one is created, which counts from zero, and the existing one is deleted';
  if (step.action === 'change' && step.isAdopted)
    return 'take over: it already exists, but was not created by this folder';
  return step.action;
};

const toLines = (step: Step): readonly string[] => [
  `${step.key}: ${toTitle(step)}`,
  ...step.changes.map(({ member, before, after }) => {
    if (step.action === 'create') return `    ${member}: ${after}`;
    return `    ${member}: ${before ?? '(nothing)'} -> ${after ?? '(nothing)'}`;
  }),
];

/** Returns `2 to create, 1 to change, 0 to delete`, and between them `1 to replace` if there are such steps. */
const countSteps = (steps: readonly Step[]): string => {
  const replaced = count(steps, ['replace']);
  const counts = [
    [count(steps, ['create']), 'to create'],
    [count(steps, ['change']), 'to change'],
    ...(replaced === 0 ? [] : [[replaced, 'to replace'] as const]),
    [count(steps, ['delete']), 'to delete'],
  ] as const;
  return counts.map(([number, words]) => `${number} ${words}`).join(', ');
};

/** Formats a plan for people. Texts from elsewhere are made printable, and secrets are not included. */
export const formatPlan = (steps: readonly Step[]): string =>
  steps.length === 0
    ? 'There is nothing to do.\n'
    : `${steps.flatMap(toLines).join('\n')}\n\nPlan: ${countSteps(steps)}.\n`;
