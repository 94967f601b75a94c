import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A plugin in the process of the gateway. */
export interface LoadedModule {
  readonly plugin: string;
  readonly file: string;
}

/**
 * The plugin whose code threw an error, by the stack: that of the innermost line which is in the folder of a plugin's
 * module; `undefined` where no plugin's code is in it.
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
