import type { Json } from '../../schema/json/json.ts';
import { isPlainScalar } from '../parse/yaml/plain-scalar.ts';
import type { EditorDocument, EditorPlace, Piece } from './editor-document.ts';

/** Writes a key with what follows it. `type` is the type that its schema specifies for the value. */
export type WriteKey = (name: string, type: Json | undefined) => string;

const isQuoted = (document: EditorDocument, { offset }: Piece): boolean => /^["']/.test(document.text.charAt(offset));

/** Whether a key has a value already. */
const hasValue = ({ text }: EditorDocument, { offset, length }: Piece): boolean =>
  /^\s*:/.test(text.slice(offset + length, offset + length + 100));

const jsonEnding = (type: Json | undefined): string => {
  if (type === 'object') return ' {}';
  return type === 'array' ? ' []' : ' ';
};

/** In a YAML block, the members of an object begin on a new line with more indentation. */
const blockEnding = (type: Json | undefined, column: number): string => {
  const indentation = `\n${' '.repeat(column + 2)}`;
  if (type === 'object') return indentation;
  return type === 'array' ? `${indentation}- ` : ' ';
};

/** Returns a function that writes keys in the style of the object around a cursor. */
export const keyWriter = (document: EditorDocument, { path, piece }: EditorPlace): WriteKey => {
  const { text, format } = document;
  const object = document.pieceAt(path.slice(0, -1));
  const isBlock = format === 'yaml' && (object === undefined || text.charAt(object.offset) !== '{');
  const column = piece.offset - (text.lastIndexOf('\n', piece.offset - 1) + 1);
  return (name, type) => {
    const key = format === 'yaml' && isPlainScalar(name) && !isQuoted(document, piece) ? name : JSON.stringify(name);
    if (hasValue(document, piece)) return key;
    return `${key}:${isBlock ? blockEnding(type, column) : jsonEnding(type)}`;
  };
};

/** Writes a value to replace a piece. */
export const writeValue = (document: EditorDocument, piece: Piece, value: Json): string => {
  if (document.format !== 'yaml') return JSON.stringify(value);
  const isPlain = typeof value === 'string' && isPlainScalar(value) && !isQuoted(document, piece);
  // In YAML, a colon ends a key only if a space follows it.
  const space = document.text.charAt(piece.offset - 1) === ':' ? ' ' : '';
  return space + (isPlain ? value : JSON.stringify(value));
};
