/** The path with a query member `api-version`, unless it has one. */
export const withApiVersion = (path: string, version: string): string =>
  /[?&]api-version=/.test(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}api-version=${encodeURIComponent(version)}`;
