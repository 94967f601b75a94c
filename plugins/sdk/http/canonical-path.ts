/**
 * Unreserved characters in percent-encoding: letters, digits, `-`, `.`, `_` and `~`. Encoding them makes no difference (RFC 3986
 * §2.3).
 */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** A slash that is followed by another one or by the end, optionally with a `.` segment between. */
const emptySegments = /\/\.?(?=\/|$)/g;

const decoded = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16));

/**
 * Returns the canonical form of a path: without doubled and trailing slashes, `.` segments, and unnecessary percent-encoding.
 * `..` segments are kept, because removing them would make it another path.
 */
export const canonicalPath = (pathname: string): string =>
  pathname.replace(encodedUnreserved, decoded).replace(emptySegments, '');
