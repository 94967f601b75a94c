import { statSync } from 'node:fs';
import { join } from 'node:path';

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Returns the file at a path, which may omit its extension, as `main` and `require` allow. */
export const existingFile = (path: string): string | undefined =>
  [path, `${path}.js`, join(path, 'index.js')].find(isFile);
