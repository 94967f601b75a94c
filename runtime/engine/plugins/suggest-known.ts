import { suggestName } from '../../../schema/text/closest-name.ts';

/** A hint with the name that was probably meant, or with all known names. */
export const suggestKnown = (written: string, known: readonly string[]): string =>
  suggestName(written.slice(0, 64), known, `Use one of ${[...known].sort().join(', ')}.`);
