import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { memberName, quote } from './source-text.ts';

const lineWidth = 110;

const byName = ([a]: readonly [string, Json], [b]: readonly [string, Json]): number => (a < b ? -1 : 1);

const lines = (open: string, items: readonly string[], close: string, indent: string): string =>
  [open, ...items.map((item) => `${indent}  ${item},`), `${indent}${close}`].join('\n');

const flat = (value: Json): string => {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).sort(byName);
  return members.length === 0
    ? '{}'
    : `{ ${members.map(([name, member]) => `${literalName(name)}: ${flat(member)}`).join(', ')} }`;
};

/** `__proto__: x` would set the prototype; in brackets it is an ordinary member. */
const literalName = (name: string): string => (name === '__proto__' ? `['__proto__']` : memberName(name));

/**
 * Returns a JSON value as a TypeScript literal with sorted members: on one line if it fits, otherwise one item per line. `indent`
 * is the indentation of the line on which it begins, and `before` the number of characters that precede it on that line.
 */
export const literalText = (value: Json, indent = '', before = 0): string => {
  const line = flat(value);
  if (indent.length + before + line.length <= lineWidth) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return lines(
      '[',
      value.map((item) => literalText(item, inner, 1)),
      ']',
      indent,
    );
  if (!isJsonObject(value)) return line;
  const members = Object.entries(value)
    .sort(byName)
    .map(([name, member]) => `${literalName(name)}: ${literalText(member, inner, literalName(name).length + 3)}`);
  return lines('{', members, '}', indent);
};
