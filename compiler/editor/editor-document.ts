import { readBrokenTree } from '../parse/read-broken.ts';
import type { TextFormat } from '../parse/read-tree.ts';
import { type Piece, type SyntaxMember, type SyntaxNode, toValue } from '../parse/syntax-tree.ts';
import type { EditorPath, EditorPlace } from './editor-place.ts';
import { jsonPlace } from './json-place.ts';
import { yamlPlace } from './yaml-place.ts';

export type { EditorPath, EditorPlace, Piece } from './editor-place.ts';

/** The value of a literal or key, and where it is written. */
export interface EditorValue {
  readonly path: EditorPath;
  readonly value: unknown;
  readonly piece: Piece;
}

interface Found {
  readonly node: SyntaxNode;
  readonly member?: SyntaxMember;
}

/** Whether a member is written in its object, rather than merged into it. */
const isOwnMember = ({ key }: SyntaxMember, { offset, length }: Piece): boolean =>
  key.offset >= offset && key.offset < offset + length;

const childOf = (node: SyntaxNode, step: string | number): Found | undefined => {
  if (node.kind === 'array') {
    const item = typeof step === 'number' ? node.items[step] : undefined;
    return item && { node: item };
  }
  const member = node.kind === 'object' ? node.members.findLast(({ name }) => name === step) : undefined;
  return member && { node: member.value, member };
};

/** A text of JSON or YAML while somebody writes it. A text with mistakes is read as far as possible. */
export class EditorDocument {
  readonly text: string;
  readonly format: TextFormat;
  /** Undefined if nothing of the text can be read, or if it is nested deeper than any config. */
  readonly root: SyntaxNode | undefined;

  constructor(text: string, format: TextFormat = 'jsonc') {
    this.text = text;
    this.format = format;
    this.root = readBrokenTree(text, format);
  }

  /** Returns the value at a path; undefined if nothing is there. */
  valueAt(path: EditorPath): unknown {
    const found = this.#find(path);
    return found && toValue(found.node);
  }

  /** Returns where the value at a path is written. */
  pieceAt(path: EditorPath): Piece | undefined {
    const node = this.#find(path)?.node;
    return node && { offset: node.offset, length: node.length };
  }

  /** Returns where the key of the member at a path is written. */
  keyAt(path: EditorPath): Piece | undefined {
    return this.#find(path)?.member?.key;
  }

  /** Returns the keys of the object at a path. */
  keysAt(path: EditorPath): readonly string[] {
    const node = this.#find(path)?.node;
    return node?.kind === 'object' ? node.members.map(({ name }) => name) : [];
  }

  /** Returns the place of a cursor; undefined in a text that is nested deeper than any config. */
  placeAt(offset: number): EditorPlace | undefined {
    return this.format === 'yaml' ? yamlPlace(this, offset) : this.root && jsonPlace(this.text, offset);
  }

  /**
   * Lists all written literals, in the order of the text. What an alias or a merge repeats is written elsewhere, and not listed
   * again.
   */
  *literals(): Generator<EditorValue> {
    const open: { readonly node: SyntaxNode; readonly path: EditorPath }[] = [];
    if (this.root !== undefined) open.push({ node: this.root, path: [] });
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, path } = next;
      if (node.anchored !== undefined) continue;
      if (node.kind === 'literal')
        yield { path, value: node.value, piece: { offset: node.offset, length: node.length } };
      const inside =
        node.kind === 'array'
          ? node.items.map((item, index) => ({ node: item, path: [...path, index] }))
          : node.kind === 'object'
            ? node.members
                .filter((member) => isOwnMember(member, node))
                .map(({ name, value }) => ({ node: value, path: [...path, name] }))
            : [];
      open.push(...inside.toReversed());
    }
  }

  #find(path: EditorPath): Found | undefined {
    let found: Found | undefined = this.root && { node: this.root };
    for (const step of path) found = found && childOf(found.node, step);
    return found;
  }
}
