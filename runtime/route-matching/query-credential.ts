import { hasServiceKey } from '../../schema/credentials/without-service-keys.ts';
import { percentDecoded } from '../../schema/text/percent-decoded.ts';
import { holdsText } from './without-text.ts';

/** A query, empty or with its `?`, from which a credential was removed. */
export interface TakenQuery {
  readonly search: string;
  readonly credential: string | undefined;
}

/** Reads a name or value of a query as clients write forms. Invalid percent-encoding is returned unchanged. */
const formDecoded = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  return percentDecoded(spaced) ?? spaced;
};

/** Removes the members of a query with these names, and returns the first of their values. The rest is unchanged. */
export const takeCredential = (search: string, names: readonly string[]): TakenQuery => {
  if (names.length === 0 || search.length < 2) return { search, credential: undefined };
  const kept: string[] = [];
  let credential: string | undefined;
  for (const member of search.slice(1).split('&')) {
    const equals = member.indexOf('=');
    const name = equals === -1 ? member : member.slice(0, equals);
    if (!names.includes(formDecoded(name))) kept.push(member);
    else if (equals !== -1) credential ??= formDecoded(member.slice(equals + 1)) || undefined;
  }
  return { search: kept.length === 0 ? '' : `?${kept.join('&')}`, credential };
};

/** Returns a path and its query, without query members whose name or value `holds` something. The rest is unchanged. */
const withoutMembers = (path: string, holds: (side: string) => boolean): string => {
  const query = path.indexOf('?');
  if (query === -1) return path;
  const members = path.slice(query + 1).split('&');
  const kept = members.filter((member) => !member.split('=').some((side) => holds(formDecoded(side))));
  if (kept.length === members.length) return path;
  return path.slice(0, query) + (kept.length === 0 ? '' : `?${kept.join('&')}`);
};

/** Returns a path and its query, without query members that contain a text. */
export const withoutQueryText = (path: string, text: string): string =>
  withoutMembers(path, (side) => holdsText(side, text));

/** Returns a path and its query, without query members that contain a service key. */
export const withoutQueryKeys = (path: string): string => withoutMembers(path, hasServiceKey);
