import { readBrokenTree } from '../parse/read-broken.ts';
import type { Piece, SyntaxNode } from '../parse/syntax-tree.ts';
import type { EditorPath, EditorPlace } from './editor-place.ts';

/** A key that nobody writes, which is inserted at the cursor when a text is read to find its place. */
const marker = 'gw0cursor';

interface Placed {
  readonly path: EditorPath;
  readonly isKey: boolean;
  readonly piece: Piece;
  readonly text: string;
}

const holds = ({ offset, length }: Piece, at: number): boolean => at >= offset && at <= offset + length;

/** Lists all keys and literals that are written in a tree, with their paths. */
function* placedIn(root: SyntaxNode): Generator<Placed> {
  const open: { readonly node: SyntaxNode; readonly path: EditorPath }[] = [{ node: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next;
    const piece = { offset: node.offset, length: node.length };
    if (node.anchored !== undefined) continue;
    if (node.kind === 'literal') yield { path, isKey: false, piece, text: String(node.value ?? '') };
    if (node.kind === 'array') open.push(...node.items.map((item, index) => ({ node: item, path: [...path, index] })));
    if (node.kind === 'object')
      for (const { name, key, value } of node.members) {
        yield { path: [...path, name], isKey: true, piece: { offset: key.offset, length: key.length }, text: name };
        open.push({ node: value, path: [...path, name] });
      }
  }
}

/** A string without its closing quote extends to the end of the text; only its first line is meant. */
const onOneLine = (text: string, { offset, length }: Piece): Piece => {
  const written = text.slice(offset, offset + length);
  const end = /^["']/.test(written) ? written.search(/[\r\n]/) : -1;
  return end < 0 ? { offset, length } : { offset, length: end };
};

/** The line of a cursor: the text before and after the word that the cursor is in. */
interface Line {
  readonly before: string;
  readonly word: Piece;
  readonly after: string;
}

const lineAt = (text: string, offset: number): Line => {
  const from = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const ending = text.slice(offset).search(/[\r\n]/);
  const end = ending < 0 ? text.length : offset + ending;
  const before = /[^\s:,[\]{}"'#]*$/.exec(text.slice(from, offset))?.[0].length ?? 0;
  const after = /^[^\s:,[\]{}"'#]*/.exec(text.slice(offset, end))?.[0].length ?? 0;
  return {
    before: text.slice(from, offset - before),
    word: { offset: offset - before, length: before + after },
    after: text.slice(offset + after, end),
  };
};

/** Parses the text with a piece replaced, and finds the marker in it. */
const findMarked = (text: string, { offset, length }: Piece, written: string): Placed | undefined => {
  const root = readBrokenTree(text.slice(0, offset) + written + text.slice(offset + length), 'yaml');
  return root && [...placedIn(root)].find((each) => each.text === marker);
};

/** Returns the place of a cursor where a key or the item of a list begins, or where nothing is written yet. */
const openPlace = (text: string, { before, word, after }: Line): EditorPlace | undefined => {
  const written = text.slice(word.offset, word.offset + word.length);
  const shown = { piece: word, ...(written === '' ? {} : { text: written }) };
  const isKey = /(?:^|[{,])[ \t]*(?:-[ \t]+)*$/.test(before) && !/^[ \t]*:/.test(after);
  const key = isKey ? findMarked(text, word, `${marker}: `) : undefined;
  if (key?.isKey === true) {
    const path = [...key.path.slice(0, -1), written];
    const isItem = typeof key.path.at(-2) === 'number';
    return { path, isKey: true, ...(isItem ? { valuePath: key.path.slice(0, -1) } : {}), ...shown };
  }
  const value = findMarked(text, word, /:$/.test(before) ? ` ${marker}` : marker);
  return value && { path: value.path, isKey: false, ...shown };
};

/** Returns the place of a cursor in a YAML text; undefined if nothing of the text can be read. */
export const yamlPlace = (
  { text, root }: { readonly text: string; readonly root: SyntaxNode | undefined },
  offset: number,
): EditorPlace | undefined => {
  const line = lineAt(text, offset);
  // A word that is alone on its line is the beginning of a key, whatever the parser makes of it.
  const isBegun = /^[ \t]*(?:-[ \t]+)*$/.test(line.before) && line.after.trim() === '';
  const found =
    root === undefined || isBegun
      ? undefined
      : [...placedIn(root)].find(({ piece }) => piece.length > 0 && holds(piece, offset));
  if (found !== undefined) return { ...found, piece: onOneLine(text, found.piece) };
  return /(?:^|\s)#/.test(line.before) ? undefined : openPlace(text, line);
};
