import type { RawHeaders } from '../../plugins/sdk/http.ts';
import { closestName } from '../../schema/closest-name.ts';
import { headerTable } from './header-table.ts';

const prefix = 'x-gw-';
const longestName = 64;

/** Names are compared without the prefix, which makes all of them similar. */
const known: ReadonlySet<string> = new Set(
  headerTable.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
);

/** A header with the gateway's prefix that it does not know, and the known one that was most likely meant. */
export const misspeltHeader = (
  headers: RawHeaders,
): { readonly written: string; readonly meant: string } | undefined => {
  for (let at = 0; at < headers.length; at += 2) {
    const written = (headers[at] ?? '').toLowerCase();
    const name = written.slice(prefix.length);
    if (!written.startsWith(prefix) || known.has(name) || name.length > longestName) continue;
    const near = closestName(name, known);
    if (near !== undefined) return { written, meant: prefix + near };
  }
  return undefined;
};
