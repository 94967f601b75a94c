import { closestName } from './closest-name.ts';

/** Words of other programs for what a command does, where there is one of that name. */
const words = new Map<string, string>([
  ...['cat', 'describe', 'read', 'show', 'view'].map((word) => [word, 'get'] as const),
  ...['all', 'ls'].map((word) => [word, 'list'] as const),
  ...['add', 'new', 'save'].map((word) => [word, 'create'] as const),
  ...['change', 'edit', 'patch', 'set'].map((word) => [word, 'update'] as const),
  ...['del', 'destroy', 'remove', 'rm'].map((word) => [word, 'delete'] as const),
]);

/** Suggests a command in place of one that does not exist: use the closest that does, or look at all of them. */
export const closestCommand = (program: string, given: string, known: readonly string[]): string => {
  const meant = words.get(given);
  const closest = meant !== undefined && known.includes(meant) ? meant : closestName(given, known);
  return closest === undefined ? `See ${program} --help.` : `Did you mean ${program} ${closest}?`;
};
