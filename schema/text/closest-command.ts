import { closestName } from './closest-name.ts';

/** Names of commands in other programs, with the command here that does the same. */
const words = new Map<string, string>([
  ...['cat', 'describe', 'read', 'show', 'view'].map((word) => [word, 'get'] as const),
  ...['all', 'ls'].map((word) => [word, 'list'] as const),
  ...['add', 'new', 'save'].map((word) => [word, 'create'] as const),
  ...['change', 'edit', 'patch', 'set'].map((word) => [word, 'update'] as const),
  ...['del', 'destroy', 'remove', 'rm'].map((word) => [word, 'delete'] as const),
]);

/** Returns a hint for a command that does not exist: the closest one that does, or how to list all of them. */
export const closestCommand = (program: string, given: string, known: readonly string[]): string => {
  const meant = words.get(given);
  const closest = meant !== undefined && known.includes(meant) ? meant : closestName(given, known);
  return closest === undefined ? `See ${program} --help.` : `Did you mean ${program} ${closest}?`;
};
