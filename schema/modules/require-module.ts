/** Modules by the names under which they are asked for, where there is no Node to load them. */
const provided = new Map<string, unknown>();

/** Provides a module where there is no Node, such as in a browser, before it is first asked for. */
export const provideModule = (name: string, module: unknown): void => {
  provided.set(name, module);
};

export const providedModule = (name: string): unknown => provided.get(name);

/** The `require` of Node; undefined elsewhere. Nothing of Node is imported, so that the code runs without it, too. */
const nodeRequire: ((name: string) => unknown) | undefined = globalThis.process
  ?.getBuiltinModule?.('node:module')
  .createRequire(import.meta.url);

/** Whether modules can be loaded that nobody provides. */
export const hasRequire: boolean = nodeRequire !== undefined;

/**
 * Loads a module of Node or of a package when it is first needed: the one that is provided, or else Node's. Throws an `Error` where
 * there is neither.
 */
export const requireModule = (name: string): unknown => {
  if (provided.has(name)) return provided.get(name);
  if (nodeRequire === undefined) throw new Error(`The module "${name}" is not provided here.`);
  return nodeRequire(name);
};
