/** Returns the errors in the URL of a service, one sentence each. */
export const serviceUrlErrors = (name: string, url: string | undefined): readonly string[] => {
  if (url === undefined) return [];
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    return [`"${name}" is not an HTTP URL. Start it with https://.`];
  if (parsed.username !== '' || parsed.password !== '')
    return [`"${name}" contains a user name or a password. Send them in a header instead.`];
  return [];
};

/** Returns a URL without its query, which may be a secret. */
export const shownUrl = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed === null ? '' : `${parsed.origin}${parsed.pathname}`;
};
