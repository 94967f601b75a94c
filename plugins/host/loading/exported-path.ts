/** The conditions under which `import` finds a package (https://nodejs.org/api/packages.html#conditional-exports). */
const conditions: ReadonlySet<string> = new Set(['import', 'module-sync', 'node', 'node-addons', 'default']);

const chosen = (target: unknown): string | undefined => {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return target.map(chosen).find((path) => path !== undefined);
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const path = conditions.has(condition) ? chosen(inner) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
};

const isSubpaths = (exports: unknown): exports is Readonly<Record<string, unknown>> =>
  typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'));

const patternTarget = (exports: Readonly<Record<string, unknown>>, subpath: string): string | undefined => {
  for (const [pattern, target] of Object.entries(exports)) {
    const [before, after] = pattern.split('*', 2);
    if (before === undefined || after === undefined) continue;
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return chosen(target)?.replaceAll('*', middle);
  }
  return undefined;
};

/**
 * Returns the file that a package's `package.json` exports for `import` at a subpath (`.` or `./name`), relative to the package,
 * or `undefined` if there is none.
 */
export const exportedPath = (
  manifest: { readonly exports?: unknown; readonly main?: unknown },
  subpath: string,
): string | undefined => {
  const { exports, main } = manifest;
  if (exports === undefined) return subpath === '.' ? (typeof main === 'string' ? main : './index.js') : subpath;
  if (!isSubpaths(exports)) return subpath === '.' ? chosen(exports) : undefined;
  return Object.hasOwn(exports, subpath) ? chosen(exports[subpath]) : patternTarget(exports, subpath);
};
