/** Checks whether an id is that of a file that the gateway stores. */
export const isOwnFile = (id: string): boolean => id.startsWith('gw-file-');
