import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { type ContentHash, hashValue } from '../../../schema/json/canonical.ts';
import type { Manifest } from './manifest.ts';
import { moduleFiles } from './module-files.ts';

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** How many times files are read if they are replaced while they are being read. */
const attempts = 3;

const hashFiles = (files: readonly string[], folder: string): ContentHash =>
  hashValue(Object.fromEntries(files.map((file) => [relative(folder, file).split(sep).join('/'), digest(file)])));

/**
 * Returns the hash of a plugin: of its module, of the modules that it imports by relative paths, and of the permissions in its
 * package.json. The same files in another folder have the same hash. Packages that it depends on are not included.
 */
export const pluginHash = (entry: string, { permissions }: Pick<Manifest, 'permissions'> = {}): ContentHash => {
  const files = moduleFiles(entry);
  for (let left = attempts; ; left -= 1) {
    try {
      return hashValue({
        files: hashFiles(
          files.filter((file) => existsSync(file)),
          dirname(entry),
        ),
        permissions,
      });
    } catch (error) {
      if (left === 0) throw error;
    }
  }
};
