import { percentDecoded } from '../../../schema/text/percent-decoded.ts';
import { canonicalPath } from './canonical-path.ts';

/** Matches prefixes of API paths. `upload` is for the bytes of Google's files. */
const prefix = /^(?:v\d[a-z0-9]*|openai|anthropic|inference|upload)$/;

/**
 * Returns the segments of a passed-through path as the most lenient server reads them: decoded, in lower case, and without
 * anything after a semicolon. Leading versions and the query are ignored.
 */
export const passedSegments = (path: string): readonly string[] => {
  const [pathname = ''] = path.split(/[?#]/, 1);
  const canonical = canonicalPath(pathname);
  const segments = (percentDecoded(canonical) ?? canonical)
    .toLowerCase()
    .split(/[/\\]/)
    .map((segment) => segment.replace(/;.*$/s, '').trim())
    .filter((segment) => segment !== '' && segment !== '.');
  const begin = segments.findIndex((segment) => !prefix.test(segment));
  return begin === -1 ? [] : segments.slice(begin);
};
