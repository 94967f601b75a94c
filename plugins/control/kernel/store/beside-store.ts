import path from 'node:path';
import type { StoreUrl } from './store-url.ts';

/** Where a store has what belongs to it: beside a file of SQLite, or as `gateway<ending>` in the working folder. */
export const besideStore = (at: StoreUrl, ending: string, cwd: string = process.cwd()): string =>
  at.kind === 'sqlite' ? `${at.file}${ending}` : path.resolve(cwd, `gateway${ending}`);
