/**
 * Normalises the name of a member as lenient parsers compare it: ignoring case, `_` and `-`. Go's JSON parser ignores case, and
 * Protocol Buffers' accept two spellings of each name.
 */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase().replaceAll(/[_-]/g, '');
