import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import type { SyntaxMember, SyntaxNode } from '../parse/syntax-tree.ts';

/** A value of a tree, and its position in the object or list around it. */
export interface FoundNode {
  readonly node: SyntaxNode;
  /** The member that has this value. */
  readonly member?: SyntaxMember;
  readonly parent?: SyntaxNode & { readonly kind: 'object' | 'array' };
  readonly index?: number;
}

/** Finds the value at a pointer; undefined if it is not written there, but at an anchor that an alias repeats. */
export const findNode = (root: SyntaxNode, pointer: JsonPointer): FoundNode | undefined => {
  let found: FoundNode = { node: root };
  for (const token of fromPointer(pointer)) {
    const { node } = found;
    if (node.kind === 'literal' || node.anchored !== undefined) return undefined;
    if (node.kind === 'array') {
      const item = node.items[Number(token)];
      if (item === undefined) return undefined;
      found = { node: item, parent: node, index: Number(token) };
    } else {
      const index = node.members.findLastIndex(({ name }) => name === token);
      const member = node.members[index];
      // Merged members are written elsewhere.
      const isOwn =
        member !== undefined && member.key.offset >= node.offset && member.key.offset < node.offset + node.length;
      if (!isOwn) return undefined;
      found = { node: member.value, member, parent: node, index };
    }
  }
  return found;
};
