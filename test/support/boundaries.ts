/** Holds the table of who may import whom. Run alone it prints each import that breaks it, and exits 1. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  /** Both relative to the repository, with `/`. */
  readonly file: string;
  readonly target: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The layers, most specific first, and the layers each may import beside itself. */
const layers = [
  { prefix: 'schema/', may: [] },
  { prefix: 'plugins/sdk/', may: ['schema/'] },
  { prefix: 'plugins/testing/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'plugins/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'compiler/', may: ['schema/', 'plugins/sdk/'] },
  { prefix: 'runtime/', may: ['schema/', 'plugins/sdk/'] },
] as const;

const layerOf = (file: string): (typeof layers)[number] | undefined =>
  layers.find(({ prefix }) => file.startsWith(prefix));

/** Root files join the phases and may import anything; nothing imports a test. */
export const mayImport = ({ file, target }: Import): boolean => {
  if (target.startsWith('test/')) return file.startsWith('test/');
  const from = layerOf(file);
  if (from === undefined) return true;
  const to = layerOf(target);
  return to !== undefined && (to === from || from.may.some((prefix) => prefix === to.prefix));
};

/** Writes imports into the files it makes. */
const generator = 'schema/generate.ts';

const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder)).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(path.join(root, file)).isDirectory()) return sourceFiles(file);
    return file.endsWith('.ts') && file !== generator ? [file.split(path.sep).join('/')] : [];
  });

const importPattern = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Every relative import of the sources, type imports too. */
export const relativeImports = (): readonly Import[] =>
  ['schema', 'plugins', 'compiler', 'runtime'].flatMap(sourceFiles).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(importPattern)].map(([, specifier]) => ({
      file,
      target: path.posix.join(path.posix.dirname(file), specifier ?? ''),
    })),
  );

if (import.meta.main) {
  const broken = relativeImports().filter((each) => !mayImport(each));
  for (const { file, target } of broken) process.stdout.write(`${file} may not import ${target}\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
