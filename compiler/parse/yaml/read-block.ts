import type { Node } from 'yaml';
import type { SyntaxNode } from '../syntax-tree.ts';
import { composed, deepPlace, isDocument, yamlTokens } from './compose-yaml.ts';
import { type BuiltTree, toTree, YamlStop } from './to-tree.ts';

export interface BlockOptions {
  readonly kind: 'array' | 'object';
  /** The indentation of its items. */
  readonly column: number;
  /** Whether nothing follows it in its text. */
  readonly isTail: boolean;
}

/**
 * The key of an item that is appended to a block when it is read, so that the block ends as it does before the item that follows
 * it.
 */
const nextKey = 'gw0next';

/** The marks that end a document, or belong before one. */
const betweenDocuments = /^(?:---|\.\.\.|%)|\0/m;

const build = (text: string): BuiltTree | undefined => {
  const tokens = yamlTokens(text);
  if (tokens.length !== 1 || !tokens.every(isDocument) || deepPlace(tokens) !== undefined) return undefined;
  const document = composed(tokens, text);
  if (document === undefined || document.errors.length > 0 || document.contents === null) return undefined;
  const tree = toTree(document.contents as Node, text);
  return tree instanceof YamlStop ? undefined : tree;
};

/** Whether the last item is the one that was appended to the block, at its place. */
const endsWithNext = (node: SyntaxNode, at: number): boolean => {
  if (node.kind === 'array') return node.items.length > 1 && node.items.at(-1)?.offset === at + '- '.length;
  const last = node.kind === 'object' && node.members.length > 1 ? node.members.at(-1) : undefined;
  return last?.name === nextKey && last.key.offset === at;
};

const withoutNext = (node: SyntaxNode): SyntaxNode => {
  if (node.kind === 'array') return { ...node, items: node.items.slice(0, -1) };
  return node.kind === 'object' ? { ...node, members: node.members.slice(0, -1) } : node;
};

/**
 * Reads whole lines that are items of a block collection, independently of their text. Returns undefined if they could mean
 * something else in that text, or have a mistake. Places count from the first line.
 */
export const readBlock = (lines: string, { kind, column, isTail }: BlockOptions): BuiltTree | undefined => {
  if (betweenDocuments.test(lines)) return undefined;
  const indent = ' '.repeat(column);
  const built = build(isTail ? lines : `${lines}${indent}${kind === 'array' ? '- 0' : `${nextKey}: 0`}\n`);
  if (built === undefined || !built.isPlain || built.node.kind !== kind || built.node.offset !== column)
    return undefined;
  const { node } = built;
  if (kind === 'object' ? lines[column] === '{' : lines[column] !== '-') return undefined;
  if (isTail) return built;
  return endsWithNext(node, lines.length + column) ? { ...built, node: withoutNext(node) } : undefined;
};
