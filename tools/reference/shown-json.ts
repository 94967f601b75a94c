import { isJsonObject, type Json } from '../../schema/json/json.ts';

const longestLine = 84;

const inline = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
};

/** Formats JSON on as few lines as are readable. */
export const shownJson = (value: Json, indent = ''): string => {
  const line = inline(value);
  if (indent.length + line.length <= longestLine || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((each) => shownJson(each, inner))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${shownJson(member, inner)}`);
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
};
