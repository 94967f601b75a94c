import { createScanner, getLocation } from 'jsonc-parser';
import type { EditorPlace, Piece } from './editor-place.ts';

/** The numbers of comments in jsonc-parser, and of the end of a text. */
const tokens = { lineComment: 12, blockComment: 13, end: 17 };

/** Whether a cursor is in a comment, or at the end of one that goes on until the end of the line or of the text. */
const isInComment = (text: string, offset: number): boolean => {
  const scanner = createScanner(text, false);
  for (let token: number = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    const from = scanner.getTokenOffset();
    if (from >= offset) return false;
    if (token !== tokens.lineComment && token !== tokens.blockComment) continue;
    const end = from + scanner.getTokenLength();
    const isClosed = token === tokens.blockComment && text.slice(from + 2, end).endsWith('*/');
    if (isClosed ? offset < end : offset <= end) return true;
  }
  return false;
};

/** The maximum length of a word on each side of a cursor; a longer one is no name. */
const longestWord = 1000;

/** Returns the word around a cursor that is not in double quotes yet; empty if nothing is written there. */
const wordAt = (text: string, offset: number): Piece => {
  const before = /[^\s:,[\]{}"*]*$/.exec(text.slice(Math.max(0, offset - longestWord), offset))?.[0] ?? '';
  const after = /^(?:(?!\/[/*])[^\s:,[\]{}"*])*/.exec(text.slice(offset, offset + longestWord))?.[0] ?? '';
  // A comment ends here.
  if (before.startsWith('/')) return { offset, length: 0 };
  return { offset: offset - before.length, length: before.length + after.length };
};

/** Returns the place of a cursor in a JSON text that is not nested too deep; undefined in a comment. */
export const jsonPlace = (text: string, offset: number): EditorPlace | undefined => {
  const { path, previousNode: node, isAtPropertyKey: isKey } = getLocation(text, offset);
  if (node !== undefined && offset >= node.offset && offset <= node.offset + node.length)
    return { path, isKey, piece: { offset: node.offset, length: node.length }, text: String(node.value ?? '') };
  if (isInComment(text, offset)) return undefined;
  const piece = wordAt(text, offset);
  if (piece.length === 0) return { path, isKey, piece };
  const word = text.slice(piece.offset, piece.offset + piece.length);
  return { path: isKey ? [...path.slice(0, -1), word] : path, isKey, piece, text: word };
};
