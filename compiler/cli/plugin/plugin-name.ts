import { UsageError } from '../command-line/usage-error.ts';

/** The rules of npm: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name. */
const packageName = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const longestName = 214;
const reserved: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico', 'gatewright']);

const withoutScope = (name: string): string => name.slice(name.indexOf('/') + 1);

/** Throws a `UsageError` for an invalid package name. */
export const checkPluginName = (name: string): void => {
  if (!packageName.test(name) || name.length > longestName || reserved.has(withoutScope(name)))
    throw new UsageError(
      `"${name}" cannot be the name of a package.`,
      'Use lower-case letters, digits, ".", "-" and "_", with a letter or a digit first: gatewright-plugin-acme, or @team/gatewright-plugin-acme.',
    );
};

/** Returns the folder of a package: its name without the scope. */
export const pluginFolder = (name: string): string => withoutScope(name);

/** Returns the prefix for a plugin's ids. */
export const pluginId = (name: string): string => {
  const own = withoutScope(name).replace(/^gatewright-plugin-(?=.)/, '');
  return own.replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
};
