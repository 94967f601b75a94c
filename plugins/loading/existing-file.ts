import { statSync } from 'node:fs';
import { join } from 'node:path';

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The file that a path leads to, which may leave out its ending as `main` and `require` may. */
export const existingFile = (path: string): string | undefined =>
  [path, `${path}.js`, join(path, 'index.js')].find(isFile);
