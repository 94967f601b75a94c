/** Percent-encoded letters, digits, `-`, `.`, `_` and `~`: encoding them changes nothing (RFC 3986 §2.3). */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** A slash followed by another one or the end, with or without a `.` segment between. */
const emptySegments = /\/\.?(?=\/|$)/g;

const decoded = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16));

/**
 * The canonical form of a path: without doubled and trailing slashes, `.` segments, and unnecessary percent-encoding.
 * `..` segments stay, since they make it another path.
 */
export const canonicalPath = (pathname: string): string =>
  pathname.replace(encodedUnreserved, decoded).replace(emptySegments, '');
