import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Words that belong to no dialect, but to every JavaScript object. */
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

const folders = readdirSync(dialects, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `${name}/`);

const sourcesIn = (name: string): readonly string[] => {
  const folder = new URL(name, dialects);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
};

const declares = (sources: readonly string[], dialect: string): boolean =>
  sources.some((source) => source.includes(`id: '${dialect}'`));

/**
 * Returns the words in the sources of a dialect: its members, events and enumeration values, including those that its own
 * encoders never write.
 */
export const toWords = (dialect: string): readonly string[] => {
  const own = sourcesIn(`${dialect}/`);
  const sources = own.length > 0 ? own : folders.map(sourcesIn).find((some) => declares(some, dialect));
  if (sources === undefined) throw new Error(`No folder of plugins/dialects declares the dialect "${dialect}".`);
  const words = sources.flatMap((source) =>
    [...source.matchAll(/'([\w.:-]{1,50})'|\b([a-z]\w*):|\.([a-z]\w*_\w*)\b/g)].map(([, ...found]) => found.join('')),
  );
  return [...new Set([...words, ...everywhere])];
};
