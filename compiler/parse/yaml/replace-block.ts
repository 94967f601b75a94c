import type { SyntaxMember, SyntaxNode } from '../syntax-tree.ts';
import type { ChangedBlock, Step } from './changed-blocks.ts';

/** Thrown if a part of a block is used outside of it too. */
class Repeated extends Error {}

/** Moves the nodes of an earlier text to their places in a later text, in which a block was replaced. */
class Mover {
  readonly #block: Pick<ChangedBlock, 'from' | 'end'>;
  readonly #by: number;
  /** The moved nodes by their originals, because an alias repeats the same object. */
  readonly #moved = new Map<SyntaxNode, SyntaxNode>();

  constructor(block: Pick<ChangedBlock, 'from' | 'end'>, by: number) {
    this.#block = block;
    this.#by = by;
  }

  /** Records the replacement of a collection around the block. */
  becomes(node: SyntaxNode, after: SyntaxNode): SyntaxNode {
    this.#moved.set(node, after);
    return after;
  }

  member({ name, key, value }: SyntaxMember): SyntaxMember {
    return { name, key: { offset: this.#offset(key.offset), length: key.length }, value: this.node(value) };
  }

  node(node: SyntaxNode): SyntaxNode {
    return this.#moved.get(node) ?? this.becomes(node, this.#move(node));
  }

  #move(node: SyntaxNode): SyntaxNode {
    const { anchored, length } = node;
    if (anchored === undefined && node.offset + length < this.#block.from) return node;
    const offset = this.#offset(node.offset);
    if (anchored !== undefined) {
      const after = this.node(anchored);
      return { ...after, offset, length, head: length, anchored: after };
    }
    if (node.kind === 'array') return { ...node, offset, items: node.items.map((item) => this.node(item)) };
    if (node.kind === 'object') return { ...node, offset, members: node.members.map((member) => this.member(member)) };
    return { ...node, offset };
  }

  #offset(offset: number): number {
    const { from, end } = this.#block;
    if (offset < from) return offset;
    if (offset >= end) return offset + this.#by;
    throw new Repeated();
  }
}

/** Items that replace an item of a collection. */
interface Replacing {
  /** A collection of the same kind that contains them. */
  readonly inside: SyntaxNode;
  /** Moves whatever follows them. */
  readonly mover: Mover;
  /** How much longer the collection becomes. */
  readonly longer: number;
}

const replaceItem = ({ node, index }: Step, { inside, mover, longer }: Replacing): SyntaxNode => {
  const length = node.length + longer;
  if (node.kind === 'array') {
    const items = inside.kind === 'array' ? inside.items : [];
    const behind = node.items.slice(index + 1).map((item) => mover.node(item));
    return { ...node, length, items: [...node.items.slice(0, index), ...items, ...behind] };
  }
  const members = inside.kind === 'object' ? inside.members : [];
  const behind = node.members.slice(index + 1).map((member) => mover.member(member));
  const all = [...node.members.slice(0, index), ...members, ...behind];
  return { ...node, length, head: all[0]?.key.length ?? 1, members: all };
};

/** Returns a collection with only one item, which has another value. */
const withValue = ({ node, index }: Step, value: SyntaxNode): SyntaxNode => {
  if (node.kind === 'array') return { ...node, items: [value] };
  const member = node.members[index];
  return { ...node, members: member === undefined ? [] : [{ ...member, value }] };
};

const endOf = ({ offset, length }: SyntaxNode): number => offset + length;

/**
 * Returns the tree of a text in which the lines of a block were replaced. `read` is the tree of the new lines, and `by` how much
 * longer they are. Undefined if an alias repeats only a part of the block, or if the ends of the collections around it are
 * unknown.
 */
export const replaceBlock = (
  { above, item, from, end, isTail }: ChangedBlock,
  read: SyntaxNode,
  by: number,
): SyntaxNode | undefined => {
  const inside = new Mover({ from: 0, end: 0 }, from).node(read);
  // Without comments at the tail, all collections end there at the same place as the innermost one.
  if (isTail && above.some(({ node }) => endOf(node) !== endOf(item.node))) return undefined;
  const longer = isTail ? endOf(inside) - endOf(item.node) : by;
  const mover = new Mover({ from, end }, by);
  const replaced = (step: Step, others: SyntaxNode): SyntaxNode =>
    mover.becomes(step.node, replaceItem(step, { inside: others, mover, longer }));
  try {
    return above.reduceRight((value, step) => replaced(step, withValue(step, value)), replaced(item, inside));
  } catch (error) {
    if (error instanceof Repeated) return undefined;
    throw error;
  }
};
