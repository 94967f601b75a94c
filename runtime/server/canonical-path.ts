/** Percent-encoded letters, digits, `-`, `.`, `_` and `~`: encoding them changes nothing (RFC 3986 §2.3). */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** A slash that another one or the end follows, with or without a `.` segment between. */
const emptySegments = /\/\.?(?=\/|$)/g;

const decoded = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16));

/**
 * A path in its one spelling: without doubled and trailing slashes and `.` segments, and with nothing encoded that need
 * not be. `..` segments stay, since they make it another path.
 */
export const canonicalPath = (pathname: string): string =>
  pathname.replace(encodedUnreserved, decoded).replace(emptySegments, '');
