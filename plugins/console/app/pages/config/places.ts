import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { fromPointer, type JsonPointer } from '../../../../../schema/json/pointer.ts';

/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const childOf = (node: Node, step: string): Node | undefined =>
  findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]);

/**
 * Finds a pointer in the text of a config: the value with its key, or the nearest value around it. Returns the whole text if
 * it is invalid.
 */
export const findRange = (text: string, pointer: JsonPointer): TextRange => {
  let node = parseTree(text);
  if (node === undefined) return { from: 0, to: text.length };
  for (const step of fromPointer(pointer)) {
    const next: Node | undefined = childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  const whole = node.parent?.type === 'property' ? node.parent : node;
  return { from: whole.offset, to: whole.offset + whole.length };
};

/** Returns the number of the line that contains an offset, starting at 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
