import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What the package's own file says of its version: it is beside the sources, or above what was built of them. */
export const version = (): string => {
  const above = path.join(import.meta.dirname, '..');
  const here = path.join(above, 'package.json');
  const file = existsSync(here) ? here : path.join(above, '..', 'package.json');
  const { version: text }: { readonly version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(text);
};
