import fc from 'fast-check';
import { findNeeds } from '../../../compiler/lower/find-needs.ts';
import { withMirrors } from '../../../compiler/optimise/collapse-single-branch.ts';
import { hashValue } from '../../../schema/json/canonical.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { listNodes } from '../../../schema/plan/list-branches.ts';
import { mapBranches } from '../../../schema/plan/map-branches.ts';
import type { Mirror, OutputChecksStage, PlanNode, Stage, Target } from '../../../schema/plan/plan.ts';
import { comparingHook, scriptedCheck } from './scripted.ts';

/** The place of a mirror among the nodes of a plan, and its behaviour. */
export interface MirrorDraw {
  readonly at: number;
  readonly percent: number;
  readonly isJudged: boolean;
  readonly timeoutMs: number | undefined;
}

/** The mirrors of a plan: usually none, and at most two, possibly at the same node. */
export const mirrorDraws: fc.Arbitrary<readonly MirrorDraw[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        at: fc.nat(),
        percent: fc.constantFrom(100, 100, 50, 12.5),
        isJudged: fc.boolean(),
        timeoutMs: fc.constantFrom(undefined, 1000),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  },
);

const checksOf = (target: string): OutputChecksStage => ({
  kind: 'output-checks',
  hooks: [
    {
      id: comparingHook,
      type: 'guardrail',
      async: false,
      deny: { onFail: false, onSuccess: false },
      feedback: {},
      checks: [
        { check: scriptedCheck, id: scriptedCheck, parameters: { hook: comparingHook, target }, failOnError: false },
      ],
    },
  ],
});

const toMirror = (
  { percent, isJudged }: MirrorDraw,
  path: JsonPointer,
  { target, id }: { readonly target: number; readonly id: string },
): Mirror => {
  const stages: readonly Stage[] = isJudged ? [checksOf(id)] : [];
  return {
    path,
    percent,
    leaf: {
      kind: 'leaf',
      path: childPointer(path, 'mirror', 'target'),
      hash: hashValue({ target, stages }),
      target,
      stages,
      needs: findNeeds({ params: { override: {} } }, stages),
    },
  };
};

const attached = (node: PlanNode, byPath: ReadonlyMap<JsonPointer, readonly Mirror[]>): PlanNode =>
  withMirrors(
    mapBranches(node, (branch) => attached(branch, byPath)),
    byPath.get(node.path) ?? [],
  );

/** Returns the plan with mirrors, each of which calls its own target, created by `toTarget`. */
export const mirrored = (
  root: PlanNode,
  targets: readonly Target[],
  draws: readonly MirrorDraw[],
  toTarget: (id: string, timeoutMs: number | undefined) => Target,
): { readonly root: PlanNode; readonly targets: readonly Target[] } => {
  const nodes = listNodes(root);
  const made = draws.map((draw, index) => {
    const { path } = nodes[draw.at % nodes.length] ?? root;
    const target = toTarget(`m${index}`, draw.timeoutMs);
    return { path, target, mirror: toMirror(draw, path, { target: targets.length + index, id: target.id }) };
  });
  const byPath = new Map(
    [...Map.groupBy(made, ({ path }) => path)].map(([path, list]) => [path, list.map(({ mirror }) => mirror)]),
  );
  return { root: attached(root, byPath), targets: [...targets, ...made.map(({ target }) => target)] };
};
