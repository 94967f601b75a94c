import type { FoundNode } from './find-node.ts';
import { withLine } from './plain-json.ts';

const isComment = (text: string, at: number): boolean => text.startsWith('//', at) || text.startsWith('/*', at);

/** Returns the offset of the comma that follows a value, ignoring spaces; undefined if something else follows. */
const commaAfter = (text: string, from: number): number | undefined => {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return text.charAt(at) === ',' ? at : undefined;
};

/** Removes what is written between brackets or braces, together with one adjacent comma. */
const removeInline = (text: string, from: number, to: number): string | undefined => {
  const after = commaAfter(text, to);
  if (after !== undefined) {
    const range = withLine(text, { from, to: after + 1 });
    const isSpaced = range.from === from && /[ \t]/.test(text.charAt(range.to));
    return text.slice(0, range.from) + text.slice(range.to + (isSpaced ? 1 : 0));
  }
  let before = from - 1;
  while (before > 0 && /\s/.test(text.charAt(before))) before -= 1;
  if (text.charAt(before) === ',') return text.slice(0, before) + text.slice(to);
  const isAlone = /[[{]/.test(text.charAt(before)) && !isComment(text, from);
  return isAlone ? text.slice(0, from) + text.slice(to) : undefined;
};

/** Removes the lines of a member of a YAML block; undefined if they contain something else. */
const removeBlock = (text: string, from: number, to: number): string | undefined => {
  let start = from;
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) start -= 1;
  if (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) return undefined;
  let end = to;
  if (!/[\r\n]/.test(text.charAt(end - 1))) {
    while (/[ \t]/.test(text.charAt(end))) end += 1;
    const line = /^(?:#[^\r\n]*)?(?:\r\n|\n|\r|$)/.exec(text.slice(end));
    if (line === null) return undefined;
    end += line[0].length;
  }
  return text.slice(0, start) + text.slice(end);
};

/** Returns the text without a member or an item; undefined if it cannot be removed on its own. */
export const removeNode = (text: string, { node, member, parent }: FoundNode): string | undefined => {
  if (parent === undefined) return undefined;
  const from = member?.key.offset ?? node.offset;
  const to = Math.max(node.offset + node.length, from + (member?.key.length ?? 0));
  const isInline = /[[{]/.test(text.charAt(parent.offset));
  if (isInline) return removeInline(text, from, to);
  if (parent.kind === 'object') return removeBlock(text, from, to);
  const dash = text.lastIndexOf('-', from - 1);
  return dash < 0 || text.slice(dash + 1, from).trim() !== '' ? undefined : removeBlock(text, dash, to);
};
