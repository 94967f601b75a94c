import { getLocation } from 'jsonc-parser';
import type { EditorPlace } from './editor-place.ts';

/** Returns the place of a cursor in a JSON text that is not nested too deep. */
export const jsonPlace = (text: string, offset: number): EditorPlace => {
  const { path, previousNode: node, isAtPropertyKey: isKey } = getLocation(text, offset);
  if (node === undefined || offset < node.offset || offset > node.offset + node.length)
    return { path, isKey, piece: { offset, length: 0 } };
  return { path, isKey, piece: { offset: node.offset, length: node.length }, text: String(node.value ?? '') };
};
