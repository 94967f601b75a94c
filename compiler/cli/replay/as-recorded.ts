import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import type { Condition, FactPath } from '../../../schema/plan/condition.ts';
import { factRoots } from '../../../schema/plan/condition-features.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { mayBeUnavailable } from '../../optimise/may-be-unavailable.ts';

/** The facts of the request that are known. A log line has none about the body, and may lack the others. */
export type KnownFacts = ReadonlySet<FactPath[0]>;

export interface Recording {
  readonly trail: readonly TrailEvent[];
  readonly known: KnownFacts;
  /** Whether the request ended when its body had to be read, because it was not JSON. */
  readonly malformed?: boolean;
}

const isDecidable = (condition: Condition, known: KnownFacts): boolean =>
  [...factRoots(condition)].every((root) => known.has(root));

/** A condition that reads the body, whatever it contains. */
const lookAtBody: Condition = { kind: 'test', path: ['params', 'model'], op: '$eq', value: null };

/**
 * Returns the branch that a conditional took. Inside a branch that a group skipped, it took none, and gets a branch that can be
 * unavailable, even if the facts that it reads are known: the branch that it would choose may be one that an enclosing
 * conditional did not choose, and would make the whole branch available.
 */
const recordedChoice = (node: ConditionalNode, trail: readonly TrailEvent[], leftOut: boolean): number => {
  if (leftOut) return node.branches.findIndex(mayBeUnavailable);
  const choice = trail.find((event) => event.kind === 'chose' && event.path === node.path);
  return choice?.kind === 'chose' ? choice.branch : -1;
};

const decided = (node: ConditionalNode, recording: Recording, leftOut: boolean): ConditionalNode => {
  const { trail, known, malformed = false } = recording;
  if (!leftOut && node.cases.every(({ when }) => isDecidable(when, known))) return node;
  const otherwise = recordedChoice(node, trail, leftOut);
  if (node.branches[otherwise] !== undefined) return { ...node, cases: [], otherwise };
  // It is unknown which other facts saved the request from reading the body. It did not get further than this conditional.
  return malformed && node.cases.some(({ when }) => factRoots(when).has('params'))
    ? { ...node, cases: [{ when: lookAtBody, branch: node.otherwise }] }
    : node;
};

const toLeftOut = (node: PlanNode, trail: readonly TrailEvent[]): ReadonlySet<number> => {
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  return new Set(skipped?.kind === 'skipped' ? skipped.branches : []);
};

/**
 * Returns the plan with conditionals that choose as recorded if the facts that they read are no longer known. `leftOut` states
 * that a group above skipped this branch.
 */
export const asRecorded = (node: PlanNode, recording: Recording, leftOut: boolean = false): PlanNode => {
  const out = toLeftOut(node, recording.trail);
  const branch = (inner: PlanNode, index: number): PlanNode => asRecorded(inner, recording, leftOut || out.has(index));
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance':
      return {
        ...node,
        branches: mapNonEmpty(node.branches, (weighted, index) => ({
          ...weighted,
          node: branch(weighted.node, index),
        })),
      };
    case 'fallback':
      return { ...node, branches: mapNonEmpty(node.branches, branch) };
    case 'conditional':
      return decided({ ...node, branches: mapNonEmpty(node.branches, branch) }, recording, leftOut);
  }
};
