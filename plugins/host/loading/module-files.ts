import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { existingFile } from './existing-file.ts';

/** Matches relative paths that a module imports. Paths in comments match too; those that are not files are ignored. */
const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** More files than any plugin is likely to have. */
const max = 1000;

/** Node resolves an import from the target of a link, but the file next to the link is the one that is replaced. */
const importedFile = (path: string, from: string): string | undefined =>
  existingFile(resolve(dirname(from), path)) ?? existingFile(resolve(dirname(realpathSync(from)), path));

const toImports = (file: string): readonly string[] => {
  try {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(relativeImport)].flatMap(([, , path = '']) => importedFile(path, file) ?? []);
  } catch {
    // The file existed when it was loaded, but has since been removed.
    return [];
  }
};

/** Returns the file of a module, and those of all modules that it imports by relative paths, directly or indirectly. */
export const moduleFiles = (entry: string): readonly string[] => {
  const files = new Set([entry]);
  // Iterating over a set includes the items added during the iteration.
  for (const file of files) for (const each of toImports(file)) if (files.size < max) files.add(each);
  return [...files];
};
