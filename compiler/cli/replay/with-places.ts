import { hashValue } from '../../../schema/json/canonical.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../schema/json/pointer.ts';
import { listBranches, listNodes } from '../../../schema/plan/list-branches.ts';
import { mapBranches } from '../../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';
import type { Identify } from '../../compare/situation.ts';

interface Tree {
  readonly root: PlanNode;
  readonly identify: Identify;
}

/** A tree with other places. */
interface PlacedTree {
  readonly root: PlanNode;
  readonly placeOf: (path: JsonPointer) => JsonPointer;
}

/** A node by what it does, without places, names and the settings of its leaves: a text that does not grow with its depth. */
const nodeText = (node: PlanNode, identify: Identify): string => {
  const below = (): readonly string[] =>
    node.kind === 'leaf' ? [] : listBranches(node).map((branch) => nodeText(branch, identify));
  switch (node.kind) {
    case 'leaf':
      return identify(node).call;
    case 'loadbalance':
      return hashValue([node.kind, node.branches.map(({ weight }) => weight), node.balance, node.sticky, below()]);
    case 'fallback':
      return hashValue([node.kind, node.on, below()]);
    case 'conditional':
      return hashValue([node.kind, node.cases, node.otherwise, below()]);
  }
};

/**
 * A tree in which each node that does what a node of a recorded tree does has the place of that one: draws, circuits and verdicts are
 * known by places. Another node keeps its place where the recorded tree has one of its kind there, and else gets a place of its own.
 * `placeOf` says which place a node had before.
 */
export const withPlacesOf = (recorded: Tree, { root, identify }: Tree): PlacedTree => {
  const places = new Map<string, JsonPointer[]>();
  for (const node of listNodes(recorded.root)) {
    const text = nodeText(node, recorded.identify);
    places.set(text, [...(places.get(text) ?? []), node.path]);
  }
  const matched = new Map<PlanNode, JsonPointer>();
  for (const node of listNodes(root)) {
    const place = places.get(nodeText(node, identify))?.shift();
    if (place !== undefined) matched.set(node, place);
  }
  const taken = new Set(matched.values());
  const kinds = new Map(listNodes(recorded.root).map(({ path, kind }) => [path, kind]));
  const originals = new Map<JsonPointer, JsonPointer>();
  const placed = (node: PlanNode): PlanNode => {
    const isKept = kinds.get(node.path) === node.kind && !taken.has(node.path);
    const own = isKept ? node.path : toPointer(['new', ...fromPointer(node.path)]);
    const path = matched.get(node) ?? own;
    originals.set(path, node.path);
    return { ...mapBranches(node, placed), path };
  };
  return { root: placed(root), placeOf: (path) => originals.get(path) ?? path };
};
