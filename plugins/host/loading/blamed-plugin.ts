import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A plugin that is loaded in the gateway's process. */
export interface LoadedModule {
  readonly plugin: string;
  readonly file: string;
}

/**
 * Returns the plugin whose code threw an error: the one whose folder contains the innermost line of the stack that is in any
 * plugin's folder. Returns `undefined` if the stack has no code of a plugin.
 */
export const blamedPlugin = (stack: string, plugins: readonly LoadedModule[]): string | undefined => {
  const folders = plugins.map(({ plugin, file }) => ({
    plugin,
    paths: [`${pathToFileURL(dirname(file)).href}/`, `${dirname(file)}/`],
  }));
  for (const line of stack.split('\n')) {
    const found = folders.find(({ paths }) => paths.some((path) => line.includes(path)));
    if (found !== undefined) return found.plugin;
  }
  return undefined;
};
