import type { Edit } from '../edit-between.ts';
import type { SyntaxNode } from '../syntax-tree.ts';

type Collection = Exclude<SyntaxNode, { readonly kind: 'literal' }>;

/** A step from a collection to one of its items. */
export interface Step {
  readonly node: Collection;
  readonly index: number;
}

/** The lines of an item of a block collection that contain a change. */
export interface ChangedBlock {
  /** The path from the root to the collection of the item. */
  readonly above: readonly Step[];
  readonly item: Step;
  /** The start of the item's line, and that of the next item's line; at the tail, the end of the text. */
  readonly from: number;
  readonly end: number;
  /** The indentation of the collection's items. */
  readonly column: number;
  /** Whether nothing follows it: it is the last item of its collection, and so is each collection around it. */
  readonly isTail: boolean;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

const isBlank = (text: string, from: number, end: number): boolean => {
  for (let at = from; at < end; at += 1) if (text.charCodeAt(at) !== 32) return false;
  return true;
};

/** Returns the offset of the dash of a list item: in the column of the list, on the line of the item's value or above it. */
const dashAt = (text: string, { offset }: Collection, value: SyntaxNode, column: number): number | undefined => {
  const first = lineStart(text, offset);
  for (let line = lineStart(text, value.offset); line > first; line = lineStart(text, line - 1))
    if (text[line + column] === '-' && isBlank(text, line, line + column)) return line + column;
  return offset;
};

/** Returns where an item begins; undefined for one that begins with anything but its key or dash. */
const markAt = (text: string, node: Collection, index: number, column: number): number | undefined => {
  if (node.kind === 'object') return node.members[index]?.key.offset;
  const item = node.items[index];
  return item && dashAt(text, node, item, column);
};

/** Returns the start of an item's line, if the line contains only the item. */
const ownLine = (text: string, mark: number | undefined, column: number): number | undefined => {
  if (mark === undefined) return undefined;
  const line = lineStart(text, mark);
  return mark - line === column && isBlank(text, line, mark) ? line : undefined;
};

/** Whether a collection is written on lines of its own. */
const isBlock = (text: string, node: SyntaxNode): node is Collection => {
  if (node.anchored !== undefined) return false;
  if (node.kind === 'array') return text[node.offset] === '-' && node.items.length > 0;
  return node.kind === 'object' && text[node.offset] !== '{' && node.members[0]?.key.offset === node.offset;
};

const itemsOf = (node: Collection): readonly SyntaxNode[] =>
  node.kind === 'array' ? node.items : node.members.map(({ value }) => value);

/** Returns the blocks of a text that contain a change, the smallest first. */
export const changedBlocks = (text: string, root: SyntaxNode, edit: Edit): readonly ChangedBlock[] => {
  const found: ChangedBlock[] = [];
  const above: Step[] = [];
  let isTail = true;
  for (let node = root; isBlock(text, node); ) {
    const column = node.offset - lineStart(text, node.offset);
    const items = itemsOf(node);
    const collection = node;
    const index = items.findLastIndex((_, at) => (markAt(text, collection, at, column) ?? text.length) <= edit.from);
    const value = items[index];
    if (value === undefined) break;
    const isLast = index === items.length - 1;
    isTail &&= isLast;
    const item = { node, index };
    const from = ownLine(text, markAt(text, node, index, column), column);
    const next = isLast ? undefined : ownLine(text, markAt(text, node, index + 1, column), column);
    const end = isTail ? text.length : next;
    // The line break before what follows stays where it is.
    if (from !== undefined && end !== undefined && (isTail || edit.before < end))
      found.push({ above: [...above], item, from, end, column, isTail });
    above.push(item);
    node = value;
  }
  return found.toReversed();
};
