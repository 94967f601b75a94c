/** Whether a name matches one of some patterns. */
export type NameMatcher = (name: string) => boolean;

/**
 * Matches a name with a pattern, in which `*` stands for any characters. The pieces between are found from left to right, in
 * linear time.
 */
const matches = (pattern: string, name: string): boolean => {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
};

/** Creates a function that reports whether a name matches one of the patterns. */
export const nameMatcher =
  (patterns: readonly string[]): NameMatcher =>
  (name) =>
    patterns.some((pattern) => matches(pattern, name));
