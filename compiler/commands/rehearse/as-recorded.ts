import type { Condition, FactPath } from '../../../schema/condition.ts';
import type { NonEmptyArray } from '../../../schema/json.ts';
import type { ConditionalNode, PlanNode } from '../../../schema/plan.ts';
import type { TrailEvent } from '../../../schema/trail.ts';

/** Which facts of the request are known. A log line has none of the body, and need not have the others. */
export type KnownFacts = ReadonlySet<FactPath[0]>;

interface Recording {
  readonly trail: readonly TrailEvent[];
  readonly known: KnownFacts;
}

const isDecidable = (condition: Condition, known: KnownFacts): boolean =>
  condition.kind === 'test' ? known.has(condition.path[0]) : condition.of.every((part) => isDecidable(part, known));

const decided = (node: ConditionalNode, { trail, known }: Recording): ConditionalNode => {
  if (node.cases.every(({ when }) => isDecidable(when, known))) return node;
  const choice = trail.find((event) => event.kind === 'chose' && event.path === node.path);
  if (choice?.kind !== 'chose' || node.branches[choice.branch] === undefined) return node;
  return { ...node, cases: [], otherwise: choice.branch };
};

const mapAll = <From, To>([first, ...rest]: NonEmptyArray<From>, to: (item: From) => To): NonEmptyArray<To> => [
  to(first),
  ...rest.map(to),
];

/** The plan with its conditionals choosing as they did, where the facts they read are not known any more. */
export const asRecorded = (node: PlanNode, recording: Recording): PlanNode => {
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance':
      return {
        ...node,
        branches: mapAll(node.branches, (branch) => ({ ...branch, node: asRecorded(branch.node, recording) })),
      };
    case 'fallback':
      return { ...node, branches: mapAll(node.branches, (branch) => asRecorded(branch, recording)) };
    case 'conditional':
      return decided(
        { ...node, branches: mapAll(node.branches, (branch) => asRecorded(branch, recording)) },
        recording,
      );
  }
};
