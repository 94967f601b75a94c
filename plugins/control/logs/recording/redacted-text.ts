import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';

/** What stands in place of a value that is not kept. */
export const mask = '[redacted]';

/** The value with a mask at a place, where `*` stands for any member or item. */
const masked = (value: Json, [token, ...rest]: readonly string[]): Json => {
  if (token === undefined) return mask;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (token === '*' || token === String(index) ? masked(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      token === '*' || token === name ? masked(member, rest) : member,
    ]),
  );
};

const toTokens = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Whether these JSON Pointers name a member at the top of a body. */
export const namesMember = (pointers: readonly string[], name: string): boolean =>
  pointers.some((pointer) => ['*', name].includes(toTokens(pointer).join('/')));

const dataLine = /^data: ?(?=[{[])/;

/** The lines of a stream of events: what is no JSON and could hold a text is left out. */
const maskedLine = (line: string, mask: (value: Json) => Json): string | undefined => {
  if (!line.startsWith('data:')) return /^(?:event|id|retry): ?[\w-]*\r?$|^\r?$/.test(line) ? line : undefined;
  if (/^data: ?\[DONE\]\r?$/.test(line)) return line;
  const value = dataLine.test(line) ? parseJson(line.replace(dataLine, '')) : undefined;
  return value === undefined ? undefined : `data: ${JSON.stringify(mask(value))}`;
};

/**
 * A body without what is at these JSON Pointers. A stream of events is redacted event by event; of any other body that is not
 * JSON nothing is left, since nobody knows where in it the places are.
 */
export const redactedText = (text: string, pointers: readonly string[]): string => {
  if (pointers.length === 0) return text;
  const places = pointers.map(toTokens);
  const redact = (value: Json): Json => places.reduce(masked, value);
  const value = parseJson(text);
  if (value !== undefined) return JSON.stringify(redact(value));
  return text
    .split('\n')
    .flatMap((line) => maskedLine(line, redact) ?? [])
    .join('\n');
};
