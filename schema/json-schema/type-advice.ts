import { formatList } from '../text/format-list.ts';

type Advice = (found: unknown) => string | undefined;

const isNumeric = (found: unknown): found is string =>
  typeof found === 'string' && found.trim() !== '' && Number.isFinite(Number(found));

const number: Advice = (found) => (isNumeric(found) ? `Write ${Number(found)}, without quotes.` : undefined);

const array: Advice = (found) => {
  if (typeof found === 'number') return `Write [${found}].`;
  if (typeof found === 'string') return 'Put brackets around it: ["…"].';
  const isObject = typeof found === 'object' && found !== null && !Array.isArray(found);
  return isObject ? 'Put brackets around it: [{ … }].' : undefined;
};

const adviceByType: Readonly<Record<string, Advice>> = {
  number,
  array,
  integer: (found) => (isNumeric(found) && Number.isInteger(Number(found)) ? number(found) : undefined),
  boolean: (found) => (found === 'true' || found === 'false' ? `Write ${found}, without quotes.` : undefined),
  string: (found) => (typeof found === 'number' ? 'Put double quotes around it.' : undefined),
  object: (found) => (Array.isArray(found) ? 'Write one object, without brackets around it.' : undefined),
};

/** Returns how to write a value in the expected type of JSON Schema; undefined if that is not known. */
export const typeAdvice = (type: string, found: unknown): string | undefined => adviceByType[type]?.(found);

/** Returns the advice for a member that is null but may not be. */
export const nullAdvice = (expected: string, name: string): string => `Write ${expected}, or remove "${name}".`;

const describeType: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Describes types of JSON Schema in users' words: `a string or an object`. */
export const describeTypes = (types: readonly string[]): string => {
  const words = [...new Set(types)].map((type) => describeType[type] ?? type);
  return formatList(words, 'or');
};
