import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { fromPointer, type JsonPointer } from '../../../../../schema/json/pointer.ts';

/** A piece of a text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const childOf = (node: Node, step: string): Node | undefined =>
  findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]);

/** Finds a place of a config in its text: a value with its key, or what is nearest around it. The whole text if it cannot be read. */
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

/** The number of the line in which an offset is, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
