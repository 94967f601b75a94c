import { closestName } from '../../schema/closest-name.ts';

/** A question that names what was probably meant, or the list of what there is. */
export const suggestName = (written: string, known: readonly string[]): string => {
  const near = closestName(written.slice(0, 64), known);
  return near === undefined ? `Use one of ${[...known].sort().join(', ')}.` : `Did you mean "${near}"?`;
};
