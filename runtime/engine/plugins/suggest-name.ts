import { closestName } from '../../../schema/text/closest-name.ts';

/** A hint with the name that was probably meant, or with all known names. */
export const suggestName = (written: string, known: readonly string[]): string => {
  const near = closestName(written.slice(0, 64), known);
  return near === undefined ? `Use one of ${[...known].sort().join(', ')}.` : `Did you mean "${near}"?`;
};
