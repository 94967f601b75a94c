import {
  createScanner,
  findNodeAtLocation,
  getLocation,
  getNodePath,
  getNodeValue,
  type Node,
  parseTree,
} from 'jsonc-parser';

/** A piece of a text, in UTF-16 code units. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
}

/** The names and indexes that lead from the root of a document to a value. */
export type EditorPath = readonly (string | number)[];

/** Where a cursor is. */
export interface EditorPlace {
  /** To the member that it is in; its last step is what is written so far of a key. */
  readonly path: EditorPath;
  readonly isKey: boolean;
  /** The literal or key that it is in or at, or the empty piece at the cursor. */
  readonly piece: Piece;
  /** The text of that literal or key; absent where there is none. */
  readonly text?: string;
}

/** The value of a literal or key, and where it is written. */
export interface EditorValue {
  readonly path: EditorPath;
  readonly value: unknown;
  readonly piece: Piece;
}

/** Configs are nested at most so deep, and the parser, which calls itself for each level, has room for many more. */
const maxDepth = 100;

/** The kinds of tokens that open and close, by their numbers in jsonc-parser, and the end of a text. */
const tokens = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 };

const isTooDeep = (text: string): boolean => {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    if (token === tokens.openBrace || token === tokens.openBracket) depth += 1;
    if (token === tokens.closeBrace || token === tokens.closeBracket) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
};

const toPiece = ({ offset, length }: Node): Piece => ({ offset, length });

/** A text of JSON as it is while somebody writes it: what can be read of one with mistakes is. */
export class EditorDocument {
  readonly text: string;
  readonly #root: Node | undefined;
  readonly #isTooDeep: boolean;

  constructor(text: string) {
    this.text = text;
    this.#isTooDeep = isTooDeep(text);
    this.#root = this.#isTooDeep
      ? undefined
      : parseTree(text, [], { allowTrailingComma: true, disallowComments: false });
  }

  /** The value at a path; undefined if nothing is there. */
  valueAt(path: EditorPath): unknown {
    const node = this.#find(path);
    return node === undefined ? undefined : getNodeValue(node);
  }

  /** Where the value at a path is written. */
  pieceAt(path: EditorPath): Piece | undefined {
    const node = this.#find(path);
    return node && toPiece(node);
  }

  /** Where the key of the member at a path is written. */
  keyAt(path: EditorPath): Piece | undefined {
    const [key] = this.#find(path)?.parent?.children ?? [];
    return key !== undefined && key.type === 'string' && this.#find(path)?.parent?.type === 'property'
      ? toPiece(key)
      : undefined;
  }

  /** The keys of the object at a path. */
  keysAt(path: EditorPath): readonly string[] {
    const node = this.#find(path);
    return node?.type === 'object' ? (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value)) : [];
  }

  /** The place of a cursor; undefined in a text that is nested deeper than any config. */
  placeAt(offset: number): EditorPlace | undefined {
    if (this.#isTooDeep) return undefined;
    const { path, previousNode: node, isAtPropertyKey: isKey } = getLocation(this.text, offset);
    if (node === undefined || offset < node.offset || offset > node.offset + node.length)
      return { path, isKey, piece: { offset, length: 0 } };
    return { path, isKey, piece: toPiece(node), text: String(node.value ?? '') };
  }

  /** All literals, in the order of the text. */
  *literals(): Generator<EditorValue> {
    const open = this.#root === undefined ? [] : [this.#root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.type === 'object' || node.type === 'array' || node.type === 'property') {
        const children = node.type === 'property' ? (node.children ?? []).slice(1) : (node.children ?? []);
        open.push(...children.toReversed());
      } else yield { path: getNodePath(node), value: node.value, piece: toPiece(node) };
    }
  }

  #find(path: EditorPath): Node | undefined {
    return this.#root && findNodeAtLocation(this.#root, [...path]);
  }
}
