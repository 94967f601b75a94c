import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { codeFolder } from '../../sdk/loading/own-module.ts';

/** The folder of this package: the folder of the sources, or the one above the built files. */
export const ownFolder: string = ((): string => {
  const code = fileURLToPath(codeFolder);
  return resolve(code, existsSync(join(code, 'package.json')) ? '.' : '..');
})();

/** The version of this package. */
export const ownVersion = (): string => {
  const manifest: unknown = fromJson(readFileSync(join(ownFolder, 'package.json'), 'utf8'));
  return isJsonObject(manifest) ? String(manifest.version) : '';
};
