/** Modules by the names under which they are requested, for environments without Node. */
const provided = new Map<string, unknown>();

/** Provides a module in an environment without Node, such as a browser. Must be called before the module is first requested. */
export const provideModule = (name: string, module: unknown): void => {
  provided.set(name, module);
};

export const providedModule = (name: string): unknown => provided.get(name);

/** The `require` of Node; undefined elsewhere. Nothing is imported from Node, so that the code also runs without it. */
const nodeRequire: ((name: string) => unknown) | undefined = globalThis.process
  ?.getBuiltinModule?.('node:module')
  .createRequire(import.meta.url);

/** Whether modules that nobody provides can be loaded. */
export const hasRequire: boolean = nodeRequire !== undefined;

/**
 * Loads a module of Node or of a package when it is first needed: the one that is provided, or else Node's. Throws an `Error` if
 * there is neither.
 */
export const requireModule = (name: string): unknown => {
  if (provided.has(name)) return provided.get(name);
  if (nodeRequire === undefined) throw new Error(`The module "${name}" is not provided here.`);
  return nodeRequire(name);
};
