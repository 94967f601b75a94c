/** Entries that are not mistakes, or whose place or class differs, by name, each with the reason. */
export const disputed: Readonly<Record<string, string>> = {};
