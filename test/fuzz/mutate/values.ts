import type { Json } from '../../../schema/json/json.ts';
import type { Random } from '../support/random.ts';

const rawMark = '\u0001raw:';

/** Marks a number by its digits, for numbers that JSON can express but JavaScript cannot. */
const raw = (digits: string): string => `${rawMark}${digits}`;

const values: readonly Json[] = [
  null,
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  raw('1e999'),
  raw('-1e999'),
  raw('-0'),
  raw('123456789012345678901234567890'),
  '',
  ' ',
  'x',
  '\n\n',
  '\ud800',
  'a\udc00b',
  '🎉',
  '\u0000\u2028',
  '{}',
  '{"a":',
  '[DONE]',
  'data:,',
  'data:text/plain;base64,//',
  'gw1.here.x',
  'gw1.',
  '__proto__',
  'constructor',
  'toString',
  [],
  {},
  [[]],
  [null],
  [{}],
  { '': '' },
  { toString: [1], valueOf: [1] },
  { type: 'text', text: null },
  { text: 'x' },
];

/** Levels of nesting: below and above the maximum that is parsed. */
const depths: readonly number[] = [20, 100, 990, 1100];

/** Copies the value, because a mutation may change it. */
const short = (random: Random): Json => structuredClone(random.pick(values));

const nested = (random: Random): Json => {
  const key = random.pick(['content', 'a', undefined]);
  let value: Json = short(random);
  for (let depth = random.pick(depths); depth > 0; depth -= 1) value = key === undefined ? [value] : { [key]: value };
  return value;
};

const long = (random: Random): Json =>
  random.oneIn(2) ? 'x\ud83c'.repeat(2000) : Array.from({ length: 300 }, () => short(random));

/** Returns a value that is rarely right. */
export const oddValue = (random: Random): Json => {
  if (random.oneIn(300)) return nested(random);
  return random.oneIn(300) ? long(random) : short(random);
};

/** Serialises a mutated value as JSON. */
export const writeOdd = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.includes('\\u0001raw:') ? text.replaceAll(/"\\u0001raw:([^"\\]*)"/g, '$1') : text;
};
