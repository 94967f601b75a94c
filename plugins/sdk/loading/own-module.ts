import type * as Url from 'node:url';
import { providedModule, requireModule } from '../../../schema/modules/require-module.ts';

/** The URL of the folder with all code, ending in a slash: either the sources or the built files. */
export const codeFolder: URL = new URL(/* @vite-ignore */ '../../../', import.meta.url);

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Returns the URL of a module of the gateway that is the entry of a process or a thread. `path` is relative to the code folder,
 * without an extension. The build keeps the modules that it lists as entries in their places, and joins all others into chunks.
 */
export const ownModule = (path: string): URL => new URL(`${path}${extension}`, codeFolder);

/**
 * Loads a module of the gateway (`ownModule`) synchronously. For small modules without top-level await that most processes do not
 * need.
 */
export const loadOwnModule = (path: string): object => {
  const provided = providedModule(path);
  if (provided !== undefined) return provided as object;
  const { fileURLToPath } = requireModule('node:url') as typeof Url;
  return requireModule(fileURLToPath(ownModule(path))) as object;
};
