/** A host in lower case, which has no port, path or credentials in it. */
export const domainPattern = '^[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,5}$';
