import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import type { Condition, FactPath } from '../../../schema/plan/condition.ts';
import { factRoots } from '../../../schema/plan/condition-features.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { mayBeUnavailable } from '../../optimise/may-be-unavailable.ts';

/** The facts of the request that are known. A log line has none of the body, and need not have the others. */
export type KnownFacts = ReadonlySet<FactPath[0]>;

export interface Recording {
  readonly trail: readonly TrailEvent[];
  readonly known: KnownFacts;
  /** The request ended where its body had to be read, since that was no JSON. */
  readonly malformed?: boolean;
}

const isDecidable = (condition: Condition, known: KnownFacts): boolean =>
  [...factRoots(condition)].every((root) => known.has(root));

/** Looks at the body, whatever that is. */
const lookAtBody: Condition = { kind: 'test', path: ['params', 'model'], op: '$eq', value: null };

/**
 * The branch that a conditional took. Below a branch that a group left out it took none, and gets one that can be
 * unavailable, even where the facts that it reads are known: what it would decide may be a branch that the conditional
 * around it did not choose, and would make the whole branch available.
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
  // What other facts spared the request from reading is not known: it did not get further than this.
  return malformed && node.cases.some(({ when }) => factRoots(when).has('params'))
    ? { ...node, cases: [{ when: lookAtBody, branch: node.otherwise }] }
    : node;
};

const toLeftOut = (node: PlanNode, trail: readonly TrailEvent[]): ReadonlySet<number> => {
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  return new Set(skipped?.kind === 'skipped' ? skipped.branches : []);
};

/**
 * The plan with its conditionals choosing as they did, where the facts they read are not known any more. `leftOut` says
 * that a group above left this branch out.
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
