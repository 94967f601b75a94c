import { closestName } from './closest-name.ts';

/** Suggests a command in place of one that does not exist: use the closest that does, or look at all of them. */
export const closestCommand = (program: string, given: string, known: readonly string[]): string => {
  const closest = closestName(given, known);
  return closest === undefined ? `See ${program} --help.` : `Did you mean ${program} ${closest}?`;
};
