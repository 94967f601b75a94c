import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Words that no dialect has, but every JavaScript object. */
const everywhere: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'length',
  '',
  'x',
  '0',
  '$ref',
];

const dialects = new URL('../../../plugins/dialects/', import.meta.url);

/**
 * The words in the sources of a dialect: its members, events and enumerations, also those that its own encoders never
 * write.
 */
export const toWords = (dialect: string): readonly string[] => {
  const folder = new URL(`${dialect}/`, dialects);
  const files = existsSync(folder)
    ? readdirSync(folder).map((name) => new URL(name, folder))
    : [new URL(`${dialect}.ts`, dialects)];
  const sources = files.filter(({ pathname }) => pathname.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'));
  const words = sources.flatMap((source) =>
    [...source.matchAll(/'([\w.:-]{1,50})'|\b([a-z]\w*):|\.([a-z]\w*_\w*)\b/g)].map(([, ...found]) => found.join('')),
  );
  return [...new Set([...words, ...everywhere])];
};
