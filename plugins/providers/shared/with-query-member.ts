/** The path with a member of the query, whose name means nothing in a pattern, unless it has one of that name. */
export const withQueryMember = (path: string, name: string, value: string): string =>
  new RegExp(`[?&]${name}=`).test(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

/** The path with a query member `api-version`, unless it has one. */
export const withApiVersion = (path: string, version: string): string => withQueryMember(path, 'api-version', version);
