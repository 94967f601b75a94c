import fc from 'fast-check';
import { rewritePlan, rewriteWith } from '../../../compiler/optimise/rewrite-plan.ts';
import { rewrites } from '../../../compiler/optimise/rewrites.ts';
import type { StatusRule } from '../../../schema/http/status.ts';
import type { NonEmptyArray } from '../../../schema/json/json.ts';
import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import { listNodes } from '../../../schema/plan/list-branches.ts';
import { mapBranches } from '../../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';
import { condition } from './condition.ts';
import { type PlanParts, planParts } from './plan.ts';

const withoutStages = (node: PlanNode): PlanNode => {
  const { mirrors: _mirrors, ...bare } = node;
  return bare.kind === 'leaf'
    ? { ...bare, stages: [], hash: `sha256:${bare.target}` }
    : mapBranches(bare, withoutStages);
};

const withoutExtras = (node: PlanNode): PlanNode => {
  if (node.kind === 'leaf') return node;
  const below = mapBranches(node, withoutExtras);
  if (below.kind === 'loadbalance') return { kind: 'loadbalance', path: below.path, branches: below.branches };
  if (below.kind === 'fallback') return { kind: 'fallback', path: below.path, on: below.on, branches: below.branches };
  return below;
};

/** Plans whose leaves have no stages, without mirrors, hedges and required abilities. */
export const plainParts: fc.Arbitrary<PlanParts> = planParts.map(({ root, targets }) => ({
  root: withoutExtras(withoutStages(root)),
  targets: targets.map((target) => ({ ...target, credential: null })),
}));

const reversed = <Item>([first, ...rest]: NonEmptyArray<Item>): NonEmptyArray<Item> => {
  const [last = first, ...others] = [first, ...rest].reverse();
  return [last, ...others];
};

/** Changes one node of a plan. Returns the same node if the change is not possible there. */
type Edit = (node: PlanNode) => PlanNode;

const triggers: readonly StatusRule[] = [
  { kind: 'not-2xx' },
  { kind: 'codes', codes: [429] },
  { kind: 'codes', codes: [429, 503] },
];

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant<Edit>((node) => node),
  fc.constant<Edit>((node) => {
    if (node.kind === 'loadbalance') return { ...node, branches: reversed(node.branches) };
    return node.kind === 'fallback' ? { ...node, branches: reversed(node.branches) } : node;
  }),
  fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(1, 2, 5)).map(
    ([at, weight]): Edit =>
      (node) =>
        node.kind === 'loadbalance'
          ? {
              ...node,
              branches: mapNonEmpty(node.branches, (branch, index) => (index === at ? { ...branch, weight } : branch)),
            }
          : node,
  ),
  fc.constant<Edit>((node) =>
    node.kind === 'loadbalance'
      ? {
          ...node,
          branches: mapNonEmpty(node.branches, ({ weight, node: branch }) => ({ weight: weight * 3, node: branch })),
        }
      : node,
  ),
  fc.constantFrom(...triggers).map(
    (on): Edit =>
      (node) =>
        node.kind === 'fallback' ? { ...node, on } : node,
  ),
  fc.nat({ max: 5 }).map(
    (target): Edit =>
      (node) =>
        node.kind === 'leaf' ? { ...node, target, hash: `sha256:${target}` } : node,
  ),
  fc.tuple(fc.nat({ max: 3 }), condition).map(
    ([at, when]): Edit =>
      (node) =>
        node.kind === 'conditional'
          ? { ...node, cases: node.cases.map((each, index) => (index === at ? { ...each, when } : each)) }
          : node,
  ),
  fc.constant<Edit>((node) => {
    const { mirrors: _mirrors, ...bare } = node;
    return bare;
  }),
  fc.constant<Edit>((node) => {
    if (node.kind !== 'fallback') return node;
    const { hedge: _hedge, ...bare } = node;
    return bare;
  }),
  fc.nat({ max: 3 }).map(
    (at): Edit =>
      (node) =>
        node.kind === 'leaf' ? { ...node, stages: node.stages.filter((_, index) => index !== at) } : node,
  ),
  fc.constant<Edit>((node) => (node.kind === 'conditional' ? { ...node, cases: [...node.cases].reverse() } : node)),
  fc.constant<Edit>((node) =>
    node.kind === 'leaf'
      ? node
      : { kind: 'fallback', path: node.path, on: { kind: 'codes', codes: [503] }, branches: [node] },
  ),
  condition.map(
    (when): Edit =>
      (node) => ({
        ...{ kind: 'conditional', path: node.path, branches: [node, node], cases: [{ when, branch: 1 }], otherwise: 0 },
      }),
  ),
);

const editedAt = (root: PlanNode, chosen: PlanNode, change: Edit): PlanNode =>
  root === chosen ? change(root) : mapBranches(root, (branch) => editedAt(branch, chosen, change));

const edited = (parts: PlanParts): fc.Arbitrary<PlanNode> =>
  fc.tuple(fc.constantFrom(...listNodes(parts.root)), edit).map(([node, change]) => editedAt(parts.root, node, change));

const rewritten = ({ root }: PlanParts): fc.Arbitrary<PlanNode> =>
  fc.constantFrom(rewritePlan(root), ...rewrites.map((law) => rewriteWith(root, [law])));

/** A plan, and a second one created from it by an edit or by rewrites. */
export const changedPlan = (
  parts: fc.Arbitrary<PlanParts>,
): fc.Arbitrary<{ readonly before: PlanParts; readonly after: PlanParts }> =>
  parts.chain((before) =>
    fc.oneof({ weight: 3, arbitrary: edited(before) }, { weight: 1, arbitrary: rewritten(before) }).map((root) => ({
      before,
      after: { ...before, root },
    })),
  );
