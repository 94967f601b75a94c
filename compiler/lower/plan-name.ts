import { withoutEnding } from '../../schema/config/file-names.ts';
import type { Trust } from '../../schema/config/trust.ts';

interface Naming {
  readonly trust: Trust;
  /** The name from the compiler's caller. */
  readonly name?: string;
  readonly file?: string;
}

/** `configs/prod.eu.jsonc` is `prod.eu`. */
const baseName = (file: string): string => withoutEnding(file.replace(/^.*[/\\]/, ''));

/** Returns the name of a plan. A caller cannot choose it, because names are labels of metrics. */
export const planName = (own: string | undefined, { trust, name, file }: Naming): string => {
  if (trust === 'caller') return name ?? 'header';
  // It is served under the name it is saved under.
  if (trust === 'saved') return name ?? 'config';
  return own || name || (file === undefined ? '' : baseName(file)) || 'config';
};
