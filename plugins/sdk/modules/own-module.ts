import type * as Url from 'node:url';
import { providedModule, requireModule } from '../../../schema/modules/require-module.ts';

/** The folder of all code, with a slash at its end: the sources, or what was built of them. */
export const codeFolder: URL = new URL(/* @vite-ignore */ '../../../', import.meta.url);

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * A module of the gateway that a process or a thread begins with, by its path from the folder of all code, without its
 * extension. The build keeps those that it lists as entries at their places; all others are joined into chunks.
 */
export const ownModule = (path: string): URL => new URL(`${path}${extension}`, codeFolder);

/** Loads a module of the gateway (`ownModule`) at once: for small ones that await nothing, and that most processes do not need. */
export const loadOwnModule = (path: string): object => {
  const provided = providedModule(path);
  if (provided !== undefined) return provided as object;
  const { fileURLToPath } = requireModule('node:url') as typeof Url;
  return requireModule(fileURLToPath(ownModule(path))) as object;
};
