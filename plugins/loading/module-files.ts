import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { existingFile } from './existing-file.ts';

/** Relative paths that a module imports. One in a comment counts too: what is no file is passed over. */
const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** More than any plugin is likely to have. */
const most = 1000;

/** Node resolves an import from where a link leads; the file beside the link is the one that is replaced. */
const importedFile = (path: string, from: string): string | undefined =>
  existingFile(resolve(dirname(from), path)) ?? existingFile(resolve(dirname(realpathSync(from)), path));

const importsOf = (file: string): readonly string[] => {
  try {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(relativeImport)].flatMap(([, , path = '']) => importedFile(path, file) ?? []);
  } catch {
    // It is gone, and was there when it was loaded.
    return [];
  }
};

/** The file of a module and, by their relative paths, of all modules that it imports, and those in turn. */
export const moduleFiles = (entry: string): readonly string[] => {
  const files = new Set([entry]);
  // A set that grows while it is iterated over is iterated to its new end.
  for (const file of files) for (const each of importsOf(file)) if (files.size < most) files.add(each);
  return [...files];
};
