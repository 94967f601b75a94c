/** The path with a member of the query, whose name means nothing in a pattern, unless it has one of that name. */
export const withQueryMember = (path: string, name: string, value: string): string =>
  new RegExp(`[?&]${name}=`).test(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
