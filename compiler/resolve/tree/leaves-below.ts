import type { IrLeaf, IrNode } from './ir-node.ts';

/** A leaf with its node. */
export interface LeafNode {
  readonly node: IrNode;
  readonly leaf: IrLeaf;
}

/** Returns the leaves of a tree in the order of the text; for a leaf, itself. */
export const leavesBelow = (node: IrNode): readonly LeafNode[] =>
  node.shape.kind === 'leaf' ? [{ node, leaf: node.shape }] : node.shape.targets.flatMap(leavesBelow);
