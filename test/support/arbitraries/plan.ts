import fc from 'fast-check';
import { findNeeds } from '../../../compiler/lower/find-needs.ts';
import type { Hedge } from '../../../schema/config/hedge.ts';
import type { StatusRule } from '../../../schema/http/status.ts';
import { hashValue } from '../../../schema/json/canonical.ts';
import type { NonEmptyArray } from '../../../schema/json/json.ts';
import { mapNonEmpty } from '../../../schema/json/map-non-empty.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import { listNodes, listNodesOf } from '../../../schema/plan/list-branches.ts';
import { listCalledLeaves, listMirrors } from '../../../schema/plan/list-leaves.ts';
import {
  balanceFeatures,
  type CheckHook,
  credentialFeatures,
  credentialSecrets,
  fallbackFeatures,
  hedgeFeature,
  type KeyPool,
  type LeafNode,
  mirrorFeature,
  type PlanNode,
  planFormat,
  type RequiredAbility,
  type RoutingPlan,
  requireFeature,
  type SecretRef,
  type Stage,
  stageFeatures,
  type Target,
} from '../../../schema/plan/plan.ts';
import { boundFeatures, pickBounds, type RequestBounds } from '../../../schema/plan/request-bounds.ts';
import { listHedges } from '../plans/list-hedges.ts';
import { condition } from './condition.ts';
import { keyPool } from './key-pool.ts';
import { mirrorDraws, mirrored } from './mirrors.ts';
import { deadline } from './scenario.ts';
import { scriptedCheck, scriptedProvider } from './scripted.ts';
import { stages, trigger } from './stages.ts';

/** The tree of a plan before its nodes have places. */
type Shape =
  | { readonly kind: 'leaf'; readonly target: number; readonly stages: readonly Stage[] }
  | {
      readonly kind: 'loadbalance';
      readonly require?: RequiredAbility;
      readonly branches: NonEmptyArray<{ readonly weight: number; readonly node: Shape }>;
    }
  | {
      readonly kind: 'fallback';
      readonly on: StatusRule;
      readonly continues?: true;
      readonly require?: RequiredAbility;
      readonly hedge?: Hedge;
      readonly branches: NonEmptyArray<Shape>;
    }
  | {
      readonly kind: 'conditional';
      readonly branches: NonEmptyArray<Shape>;
      readonly cases: readonly { readonly when: Condition; readonly branch: number }[];
      readonly otherwise: number;
    };

const targetCount = 6;

const leaf: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constant('leaf'),
  target: fc.nat({ max: targetCount - 1 }),
  stages,
});

const some = <Thing>(thing: fc.Arbitrary<Thing>): fc.Arbitrary<NonEmptyArray<Thing>> =>
  fc.tuple(thing, fc.array(thing, { maxLength: 3 })).map(([first, others]) => [first, ...others]);

/** What a group requires of its branches. Half of the groups require something. */
const required: fc.Arbitrary<{ readonly require?: RequiredAbility }> = fc.constantFrom({}, { require: 'capabilities' });
/**
 * Hedges: none, or with delays that some replies and time-outs exceed. Nothing else happens at these times, whatever was waited
 * for before, because the order of two simultaneous events is undefined.
 */
const hedge: fc.Arbitrary<Hedge | undefined> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      afterMs: fc.constantFrom(13, 421, 883, 2521),
      budgetPercent: fc.constantFrom(34, 50, 100, 100),
    }),
  },
);

/** The probability of a group is the same on every level. A deeper group has smaller branches. */
const shape = (depth: number): fc.Arbitrary<Shape> => {
  if (depth === 0) return leaf;
  const node = shape(depth - 1);
  const weighted = fc.record({ weight: fc.constantFrom(0, 1, 1, 2, 3, 4), node });
  const loadbalance = fc
    .tuple(
      some(weighted).filter((branches) => branches.some(({ weight }) => weight > 0)),
      required,
    )
    .map(([branches, ability]): Shape => ({ kind: 'loadbalance', ...ability, branches }));
  const fallback = fc
    .record({
      ...{ on: trigger, branches: some(node), hedge, ability: required },
      continues: fc.constantFrom<true | undefined>(undefined, undefined, undefined, undefined, undefined, true),
    })
    .map(
      ({ hedge: own, continues, ability, ...rest }): Shape => ({
        kind: 'fallback',
        ...rest,
        ...ability,
        ...(own === undefined ? {} : { hedge: own }),
        ...(continues === undefined ? {} : { continues }),
      }),
    );
  const conditional = some(node).chain((branches) => {
    const branch = fc.nat({ max: branches.length - 1 });
    // Drawn from a few conditions, so that some are evaluated twice.
    const cases = fc
      .array(condition, { minLength: 1, maxLength: 3 })
      .chain((few) => fc.array(fc.record({ when: fc.constantFrom(...few), branch }), { maxLength: 3 }));
    return fc.record({
      kind: fc.constant('conditional'),
      branches: fc.constant(branches),
      cases,
      otherwise: branch,
    });
  });
  return fc.oneof(
    { weight: depth === 3 ? 1 : 4, arbitrary: leaf },
    { weight: 2, arbitrary: loadbalance },
    { weight: 3, arbitrary: fallback },
    { weight: 1, arbitrary: conditional },
  );
};

/** Adds the target to the parameters of the scripted check. */
const withTargetName = (stage: Stage, target: string): Stage => {
  if (stage.kind !== 'input-checks' && stage.kind !== 'output-checks') return stage;
  const named = (hook: CheckHook): CheckHook => ({
    ...hook,
    checks: hook.checks.map((check) => ({ ...check, parameters: { ...check.parameters, target } })),
  });
  return { ...stage, hooks: mapNonEmpty(stage.hooks, named) };
};

/** Hashes by the hashed text: most leaves resemble others, and hashing them takes half of the time to generate a plan. */
const hashes = new Map<string, LeafNode['hash']>();

const hashOfLeaf = (target: number, list: readonly Stage[]): LeafNode['hash'] => {
  const key = JSON.stringify([target, list]);
  const known = hashes.get(key) ?? hashValue({ target, stages: list });
  hashes.set(key, known);
  return known;
};

const placedLeaf = (
  { target, stages: list }: Extract<Shape, { kind: 'leaf' }>,
  path: JsonPointer,
  targets: readonly Target[],
): LeafNode => {
  const stages = list.map((stage) => withTargetName(stage, targets[target]?.id ?? ''));
  return {
    kind: 'leaf',
    path,
    hash: hashOfLeaf(target, stages),
    target,
    stages,
    needs: findNeeds({ params: { override: {} } }, stages),
  };
};

/** Leaves of one target with the same stages have the same hash, and so share a circuit. */
const placed = (node: Shape, path: JsonPointer, targets: readonly Target[]): PlanNode => {
  const branch = (shapeOfBranch: Shape, index: number): PlanNode =>
    placed(shapeOfBranch, childPointer(path, 'targets', index), targets);
  switch (node.kind) {
    case 'leaf':
      return placedLeaf(node, path, targets);
    case 'loadbalance':
      return {
        ...node,
        path,
        branches: mapNonEmpty(node.branches, ({ weight, node: inner }, at) => ({ weight, node: branch(inner, at) })),
      };
    case 'fallback':
    case 'conditional':
      return { ...node, path, branches: mapNonEmpty(node.branches, branch) };
  }
};

const targetAt = (id: string, timeoutMs: number | undefined, credential: KeyPool | null): Target => ({
  id,
  from: { kind: 'inline', provider: scriptedProvider },
  credential,
  upstream: { kind: 'custom', baseUrl: `http://${id}.test` },
  settings: {},
  headers: { forward: [] },
  params: { override: {} },
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  strict: true,
});

const targets: fc.Arbitrary<readonly Target[]> = fc
  .array(fc.tuple(fc.constantFrom(undefined, 1000, 30_000), keyPool), {
    minLength: targetCount,
    maxLength: targetCount,
  })
  .map((drawn) => drawn.map(([timeoutMs, keys], index) => targetAt(`t${index}`, timeoutMs, keys)));

/** The parts of a plan, for laws that do not need a complete one. */
export interface PlanParts extends RequestBounds {
  readonly root: PlanNode;
  readonly targets: readonly Target[];
}

const keyRefs = (credential: Target['credential']): readonly SecretRef[] =>
  credentialSecrets(credential).flatMap((secret) => (secret.kind === 'reference' ? [secret.ref] : []));

/** Creates a complete plan from these parts. Its `bounds` are not computed. */
export const sealed = ({ root, targets: table, ...bounds }: PlanParts): RoutingPlan => {
  const balances = listNodesOf('loadbalance', root);
  const kinds = new Set<string>([
    ...listCalledLeaves(root).flatMap(({ stages: list }) =>
      list.flatMap((stage) => [stage.kind, ...stageFeatures(stage)]),
    ),
    ...listMirrors(root).map(() => mirrorFeature),
    ...balances.flatMap(balanceFeatures),
    ...listNodesOf('fallback', root).flatMap(fallbackFeatures),
    ...listNodes(root).flatMap((node) => ('require' in node ? [requireFeature] : [])),
    ...listHedges(root).map(() => hedgeFeature),
  ]);
  for (const feature of table.flatMap(credentialFeatures)) kinds.add(feature);
  const features = [...kinds, ...boundFeatures(bounds)].sort();
  const checks = features.some((kind) => kind.endsWith('-checks')) ? [scriptedCheck] : [];
  return {
    format: planFormat,
    name: 'generated',
    hash: hashValue({ root, targets: table, ...bounds }),
    sources: [],
    requires: {
      features,
      plugins: {
        ...{ providers: [scriptedProvider], checks, caches: [] },
        choosers: [...new Set(balances.flatMap(({ balance }) => balance ?? []))],
      },
      secrets: [...new Set(table.flatMap(({ credential }) => keyRefs(credential)))],
      hosts: table.map(({ id }) => `${id}.test:80`),
    },
    bounds: { calls: 0, waitMs: 0, targets: [] },
    ...bounds,
    readsParams: true,
    targets: table,
    root,
  };
};

/**
 * Plans of at most three levels and four branches per group, not rewritten, over the targets `t0` … `t5`, sometimes with
 * mirrors, which call other targets.
 */
export const planParts: fc.Arbitrary<PlanParts> = fc
  .tuple(shape(3), targets, deadline, mirrorDraws)
  .map(([root, table, deadlineMs, mirrors]) => ({
    ...pickBounds({ deadlineMs }),
    ...mirrored(placed(root, rootPointer, table), table, mirrors, (id, timeoutMs) => targetAt(id, timeoutMs, null)),
  }));

/** The same as complete plans. Their `bounds` are not computed. */
export const routingPlan: fc.Arbitrary<RoutingPlan> = planParts.map(sealed);
