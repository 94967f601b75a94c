import type { Json } from '../../../schema/json/json.ts';

/** Returns a number from 0 to `count`, exclusive, different each time. */
type Pick = (count: number) => number;

const trivia = [
  '',
  '',
  '',
  ' ',
  '\t ',
  '\n',
  '\n\n\n',
  ' // one\n',
  '/* two */',
  '\n/*\n * three\n   four */\n',
  '\n  // five\n\n',
];

/** Serialises a value as JSON with white space, comments and trailing commas wherever the numbers select them. */
export const writeJsonc = (value: Json, pick: Pick): string => {
  const space = (): string => trivia[pick(trivia.length)] ?? '';
  const list = (open: string, parts: readonly string[], close: string): string => {
    const comma = parts.length > 0 && pick(3) === 0 ? `,${space()}` : '';
    return `${open}${space()}${parts.join(`${space()},${space()}`)}${space()}${comma}${close}`;
  };
  const write = (each: Json): string => {
    if (Array.isArray(each)) return list('[', each.map(write), ']');
    if (typeof each !== 'object' || each === null) return JSON.stringify(each);
    const members = Object.entries(each).map(
      ([name, inside]) => `${JSON.stringify(name)}${space()}:${space()}${write(inside)}`,
    );
    return list('{', members, '}');
  };
  return `${space()}${write(value)}${space()}`;
};
