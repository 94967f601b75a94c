import { hashValue } from '../../schema/json/canonical.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { mapLeaves } from '../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { CircuitName } from '../../schema/trail/circuit-name.ts';
import type { TrailEvent, TrailEventOf } from '../../schema/trail/trail.ts';
import type { Breakers, MetCircuit, Transition } from '../ports/breakers.ts';

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

/** Returns the leaves below branches that a group skipped. */
const leftOut = (node: PlanNode, trail: readonly TrailEvent[]): readonly JsonPointer[] => {
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  const branches = skipped?.kind === 'skipped' ? skipped.branches : [];
  return listChildren(node).flatMap((child, index) =>
    branches.includes(index) ? leafPaths(child) : leftOut(child, trail),
  );
};

/** Gives each leaf its own state, so that its hash identifies it. */
export const withOwnState = (root: PlanNode): PlanNode =>
  mapLeaves(root, (leaf) => ({ ...leaf, hash: hashValue(leaf.path) }));

/** Returns the name of a leaf's circuit, which its kind identifies: one circuit of each kind applies to a request. */
const placeOf = (leaf: string, of: CircuitName | undefined): string => `${leaf} ${of?.kind ?? ''}`;

/**
 * Returns circuits as the trail of one request recorded them. The effects of other requests show in the branches that it skipped
 * and in the changes that it recorded. For a plan of `withOwnState`.
 */
export const recordedBreakers = (root: PlanNode, trail: readonly TrailEvent[]): Breakers => {
  const closedTo = new Set<string>(leftOut(root, trail).map((path) => hashValue(path)));
  const changes = new Map<string, TrailEventOf<'circuitChanged'>[]>();
  for (const event of trail) {
    if (event.kind !== 'circuitChanged') continue;
    const place = placeOf(hashValue(event.path), event.of);
    changes.set(place, [...(changes.get(place) ?? []), event]);
  }
  const next = ({ leaf, of: met }: MetCircuit, probing: boolean): Transition | undefined => {
    const left = changes.get(placeOf(leaf, met));
    const event = left?.[0];
    if (event === undefined || (event.to === 'half-open') !== probing) return undefined;
    left?.shift();
    const { from, to, of } = event;
    return of === undefined ? { from, to } : { from, to, of };
  };
  return {
    available: ({ leaf }) => !closedTo.has(leaf),
    isClosed: ({ leaf }) => !closedTo.has(leaf),
    probes: ({ leaf, of }) => changes.get(placeOf(leaf, of))?.[0]?.to === 'half-open',
    admit: (circuit) => {
      const changed = next(circuit, true);
      return changed === undefined ? { probe: false } : { probe: true, changed };
    },
    settle: (circuit) => next(circuit, false),
    prove: () => undefined,
  };
};
