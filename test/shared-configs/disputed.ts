/** Entries that are no mistakes, or whose place or class is another one, by their names: each with the reason. */
export const disputed: Readonly<Record<string, string>> = {};
