import type { FoundNode } from './find-node.ts';

export interface AddedMember {
  /** Both in the format of the text. */
  readonly key: string;
  readonly value: string;
  readonly isYaml: boolean;
}

/** Returns the indentation before an offset, if nothing else precedes it on its line. */
const indentOf = (text: string, offset: number): string | undefined => {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(line) ? line : undefined;
};

/**
 * Returns the text with another member in an object that is not empty: in braces after the last member, and in a YAML block below
 * the last line that contains only one member. Undefined if there is no such place.
 */
export const addMember = (
  text: string,
  { node }: FoundNode,
  { key, value, isYaml }: AddedMember,
): string | undefined => {
  if (node.kind !== 'object') return undefined;
  const last = node.members.at(-1);
  if (last === undefined) return undefined;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const insert = (at: number, written: string): string => text.slice(0, at) + written + text.slice(at);
  if (text.charAt(node.offset) === '{') {
    const indent = indentOf(text, last.key.offset);
    const between = indent === undefined ? ' ' : `${lineBreak}${indent}`;
    return insert(last.value.offset + last.value.length, `,${between}${key}: ${value}`);
  }
  const above = node.members.findLast(({ value: { kind, offset, length } }) => {
    const line = text.slice(offset).search(/[\r\n]|$/);
    return kind === 'literal' && length > 0 && length <= line;
  });
  if (!isYaml || above === undefined) return undefined;
  const end = above.value.offset + text.slice(above.value.offset).search(/[\r\n]|$/);
  const column = node.offset - (text.lastIndexOf('\n', node.offset - 1) + 1);
  return insert(end, `${lineBreak}${' '.repeat(column)}${key}: ${value}`);
};
