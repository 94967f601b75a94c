import { withoutEnding } from '../../schema/config/file-names.ts';
import type { Trust } from '../../schema/config/trust.ts';

interface Naming {
  readonly trust: Trust;
  /** The name that the compiler's caller gives it. */
  readonly name?: string;
  readonly file?: string;
}

/** `configs/prod.eu.jsonc` is `prod.eu`. */
const baseName = (file: string): string => withoutEnding(file.replace(/^.*[/\\]/, ''));

/** The name of a plan. A caller does not choose it: names are labels of metrics. */
export const planName = (own: string | undefined, { trust, name, file }: Naming): string => {
  if (trust === 'caller') return name ?? 'header';
  // It is served by the name it is saved under.
  if (trust === 'saved') return name ?? 'config';
  return own || name || (file === undefined ? '' : baseName(file)) || 'config';
};
