import { fromPointer } from '../../schema/json/pointer.ts';
import { caseFile, codeCases, compileCase } from '../../test/compiler/diagnostics/compile-case.ts';
import { anyName, item, type Member, toPath } from './member-tree.ts';

/** Returns the steps to a place in a config, relative to its target: `/targets/0/weight` concerns `weight`. */
const fromTarget = (keys: readonly string[]): readonly string[] => {
  const [first, second, ...rest] = keys;
  if (first === 'targets' && second !== undefined && rest.length > 0) return fromTarget(rest);
  return first === 'mirror' && second === 'target' && rest.length > 0 ? fromTarget(rest) : keys;
};

/** Returns the longest path of a member that leads towards a place. */
const findPath = (paths: ReadonlySet<string>, keys: readonly string[]): string | undefined => {
  let found: string | undefined;
  let at: readonly string[] = [];
  for (const key of keys) {
    const next = [
      [...at, /^\d+$/.test(key) ? item : key],
      [...at, anyName],
    ].find((each) => paths.has(toPath(each)) || [...paths].some((path) => path.startsWith(`${toPath(each)}.`)));
    if (next === undefined) return found;
    at = next;
    if (paths.has(toPath(at))) found = toPath(at);
  }
  return found;
};

/** Returns the codes of the diagnostics at each member, by its path, according to their examples. */
export const memberDiagnostics = (members: readonly Member[]): ReadonlyMap<string, readonly string[]> => {
  const paths = new Set(members.map(({ path }) => path));
  const found = new Map<string, readonly string[]>();
  for (const each of codeCases)
    for (const { code, pointer } of compileCase(each, each.text, caseFile(each)).diagnostics) {
      const path = findPath(paths, fromTarget(fromPointer(pointer)));
      if (path === undefined || found.get(path)?.includes(code)) continue;
      found.set(path, [...(found.get(path) ?? []), code]);
    }
  return found;
};
