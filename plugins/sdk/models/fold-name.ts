/**
 * The name of a member as lenient readers compare it: in any case, and with or without `_` and `-`. Go's reader of JSON ignores
 * case, and those of Protocol Buffers know each name in two spellings.
 */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase().replaceAll(/[_-]/g, '');
