/** Matches a host in lower case, without port, path or credentials. */
export const domainPattern = '^[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,5}$';
