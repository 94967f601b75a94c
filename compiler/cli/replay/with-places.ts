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

/** A tree with changed places. */
interface PlacedTree {
  readonly root: PlanNode;
  readonly placeOf: (path: JsonPointer) => JsonPointer;
}

/**
 * Describes what a node does, without places, names and the settings of its leaves. The length of the text does not grow with the
 * depth of the node.
 */
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
 * Returns a tree in which each node that does the same as a node of the recorded tree has that node's place, because draws,
 * circuits and verdicts are identified by places. Another node keeps its place if the recorded tree has a node of its kind there;
 * otherwise it gets a new place. `placeOf` returns the place that a node had before.
 */
export const withRecordedPlaces = (recorded: Tree, { root, identify }: Tree): PlacedTree => {
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
