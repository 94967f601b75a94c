/**
 * Returns the path with a query member, unless it already has one of that name. The name has no special characters of a pattern.
 */
export const withQueryMember = (path: string, name: string, value: string): string =>
  new RegExp(`[?&]${name}=`).test(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** Returns the path with a query member `api-version`, unless it has one. */
export const withApiVersion = (path: string, version: string): string => withQueryMember(path, 'api-version', version);
