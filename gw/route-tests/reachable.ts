import { type JsonPointer, toOptionPath } from '../../schema/json/pointer.ts';
import { listNodes, usableBranches } from '../../schema/plan/list-branches.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import { hookMayDeny } from '../../schema/plan/may-deny.ts';
import type { GroupNode, LeafNode, PlanNode, RoutingPlan } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';

/** Something that requests can do on a plan, and that tests should cover. */
export interface Reachable {
  readonly kind: 'target' | 'branch' | 'outcome';
  /** A description: `fallback from "gpt" to "claude"`. */
  readonly what: string;
  /** The place in the config. */
  readonly place: string;
  /** Returns whether a request did it, according to its trail. */
  isReached(trail: readonly TrailEvent[]): boolean;
}

interface Names {
  /** Names a leaf by its target, and a group by its own name or its place. */
  readonly of: (node: PlanNode) => string;
  readonly ofTarget: (leaf: LeafNode) => string;
}

const namesIn = ({ targets }: RoutingPlan): Names => {
  const ofTarget = ({ target }: LeafNode): string => targets[target]?.id ?? String(target);
  return {
    ofTarget,
    of: (node) => (node.kind === 'leaf' ? ofTarget(node) : (node.name ?? toOptionPath(node.path))),
  };
};

/** Returns the places of a node and of everything below it. */
const placesIn = (node: PlanNode): ReadonlySet<JsonPointer> => new Set(listNodes(node).map(({ path }) => path));

/** Whether a leaf answered or was called, rather than only considered. */
const isOfLeaf = ({ kind }: TrailEvent): boolean => kind === 'attempted' || kind === 'cached' || kind === 'checked';

const branch = (group: GroupNode, node: PlanNode, names: Names): Reachable => {
  const places = placesIn(node);
  return {
    kind: 'branch',
    what: `the ${group.kind === 'loadbalance' ? 'load balance' : group.kind} goes to "${names.of(node)}"`,
    place: toOptionPath(node.path),
    isReached: (trail) => trail.some((event) => isOfLeaf(event) && 'path' in event && places.has(event.path)),
  };
};

const ofGroup = (group: GroupNode, names: Names): readonly Reachable[] => {
  const place = toOptionPath(group.path);
  const outcome = (what: string, isReached: Reachable['isReached']): Reachable => ({
    ...{ kind: 'outcome', what, place, isReached },
  });
  const branches = usableBranches(group).map((node) => branch(group, node, names));
  if (group.kind !== 'fallback') return branches;
  const steps = group.branches.slice(1).map((node, index) => {
    const from = group.branches[index] ?? node;
    return outcome(`the fallback leaves "${names.of(from)}"`, (trail) =>
      trail.some((event) => event.kind === 'fellBack' && event.path === group.path && event.from === index),
    );
  });
  const hedge = outcome('the fallback calls two branches at once', (trail) =>
    trail.some((event) => event.kind === 'hedged' && event.path === group.path),
  );
  const goesOn = outcome('a broken stream continues at the next branch', (trail) =>
    trail.some((event) => event.kind === 'continued' && event.path === group.path),
  );
  return [
    ...branches,
    ...steps,
    ...(group.hedge === undefined ? [] : [hedge]),
    ...(group.continues === true ? [goesOn] : []),
  ];
};

const ofLeaf = (leaf: LeafNode, plan: RoutingPlan, names: Names): readonly Reachable[] => {
  const name = names.ofTarget(leaf);
  const outcome = (what: string, isDone: (event: TrailEvent) => boolean): Reachable => ({
    kind: 'outcome',
    what,
    place: toOptionPath(leaf.path),
    isReached: (trail) => trail.some((event) => 'path' in event && event.path === leaf.path && isDone(event)),
  });
  const denies = (phase: 'input' | 'output'): Reachable =>
    outcome(`a check denies ${phase === 'input' ? 'the request at' : 'an answer of'} "${name}"`, (event) =>
      Boolean(event.kind === 'checked' && event.phase === phase && event.result === 'denied'),
    );
  const timesOut =
    plan.targets[leaf.target]?.timeoutMs === undefined
      ? []
      : [outcome(`"${name}" times out`, (event) => event.kind === 'attempted' && event.origin === 'timeout')];
  const ofStage = (stage: LeafNode['stages'][number]): readonly Reachable[] => {
    switch (stage.kind) {
      case 'breaker':
        return [
          outcome(`the circuit of "${name}" opens`, (event) => event.kind === 'circuitChanged' && event.to === 'open'),
        ];
      case 'cache':
        return [outcome(`the cache answers for "${name}"`, (event) => event.kind === 'cached')];
      case 'retry':
        return [outcome(`"${name}" is retried`, (event) => event.kind === 'retried')];
      case 'input-checks':
      case 'output-checks':
        return stage.hooks.some(hookMayDeny) ? [denies(stage.kind === 'input-checks' ? 'input' : 'output')] : [];
    }
  };
  return [...timesOut, ...leaf.stages.flatMap(ofStage)];
};

const ofNode = (node: PlanNode, plan: RoutingPlan, names: Names): readonly Reachable[] =>
  node.kind === 'leaf'
    ? ofLeaf(node, plan, names)
    : [...ofGroup(node, names), ...usableBranches(node).flatMap((each) => ofNode(each, plan, names))];

/** Returns the leaves that some request may reach. */
const openLeaves = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? listLeaves(node) : usableBranches(node).flatMap(openLeaves);

/**
 * Lists what requests can do on a plan: the targets that they can call, the branches that they can take, and the possible
 * outcomes.
 */
export const listReachable = (plan: RoutingPlan): readonly Reachable[] => {
  const names = namesIn(plan);
  const leaves = new Map(openLeaves(plan.root).map((leaf) => [names.ofTarget(leaf), leaf]));
  const targets = [...leaves].map(
    ([id, { path }]): Reachable => ({
      ...{ kind: 'target', what: `"${id}" is called`, place: toOptionPath(path) },
      isReached: (trail) => trail.some((event) => event.kind === 'attempted' && event.target === id),
    }),
  );
  const deadline: Reachable = {
    ...{ kind: 'outcome', what: 'the deadline passes', place: toOptionPath(plan.root.path) },
    isReached: (trail) => trail.some(({ kind }) => kind === 'deadlinePassed'),
  };
  return [...targets, ...ofNode(plan.root, plan, names), ...(plan.deadlineMs === undefined ? [] : [deadline])];
};
