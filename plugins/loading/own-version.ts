import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../schema/json.ts';

/** The folder of this package: two folders above this one in the sources, three in what is built of them. */
export const ownFolder: string = ((): string => {
  const sources = join(import.meta.dirname, '../..');
  return existsSync(join(sources, 'package.json')) ? sources : join(sources, '..');
})();

/** The version of this package. */
export const ownVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(ownFolder, 'package.json'), 'utf8'));
  return isJsonObject(manifest) ? String(manifest.version) : '';
};
