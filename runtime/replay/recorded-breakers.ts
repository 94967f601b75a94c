import { hashValue } from '../../schema/json/canonical.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { Breakers, StateKey } from '../ports/breakers.ts';
import { mapLeaves } from './map-leaves.ts';

type Changed = Extract<TrailEvent, { kind: 'circuitChanged' }>;

const listChildren = (node: PlanNode): readonly PlanNode[] => {
  switch (node.kind) {
    case 'leaf':
      return [];
    case 'loadbalance':
      return node.branches.map((branch) => branch.node);
    default:
      return node.branches;
  }
};

const leafPaths = (node: PlanNode): readonly JsonPointer[] =>
  node.kind === 'leaf' ? [node.path] : listChildren(node).flatMap(leafPaths);

/** The leaves below branches that a group skipped. */
const leftOut = (node: PlanNode, trail: readonly TrailEvent[]): readonly JsonPointer[] => {
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  const branches = skipped?.kind === 'skipped' ? skipped.branches : [];
  return listChildren(node).flatMap((child, index) =>
    branches.includes(index) ? leafPaths(child) : leftOut(child, trail),
  );
};

/** Gives each leaf its own state, so that a key identifies its leaf. */
export const withOwnState = (root: PlanNode): PlanNode =>
  mapLeaves(root, (leaf) => ({ ...leaf, hash: hashValue(leaf.path) }));

/** The leaf's hash is the first word of its state's key. */
const hashIn = (key: StateKey): string => key.split(' ', 1)[0] ?? '';

/**
 * Circuits as the trail of one request saw them: the effects of other requests show in the branches that it skipped and
 * in the changes that it recorded. For a plan of `withOwnState`.
 */
export const recordedBreakers = (root: PlanNode, trail: readonly TrailEvent[]): Breakers => {
  const closedTo = new Set<string>(leftOut(root, trail).map((path) => hashValue(path)));
  const changes = new Map<string, Changed[]>();
  for (const event of trail) {
    if (event.kind !== 'circuitChanged') continue;
    const leaf = hashValue(event.path);
    changes.set(leaf, [...(changes.get(leaf) ?? []), event]);
  }
  const next = (
    key: StateKey,
    probing: boolean,
  ): { readonly from: Changed['from']; readonly to: Changed['to'] } | undefined => {
    const left = changes.get(hashIn(key));
    const event = left?.[0];
    if (event === undefined || (event.to === 'half-open') !== probing) return undefined;
    left?.shift();
    return { from: event.from, to: event.to };
  };
  return {
    available: (key) => !closedTo.has(hashIn(key)),
    probes: (key) => changes.get(hashIn(key))?.[0]?.to === 'half-open',
    admit: (key) => {
      const changed = next(key, true);
      return changed === undefined ? { probe: false } : { probe: true, changed };
    },
    settle: (key) => next(key, false),
  };
};
