/** Returns the values of the `:name` parts of a path, or undefined if the path does not match. */
const matchPath = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, want] of wanted.entries()) {
    const part = parts[at] ?? '';
    if (!want.startsWith(':')) {
      if (want !== part) return undefined;
      continue;
    }
    try {
      params[want.slice(1)] = decodeURIComponent(part);
    } catch {
      return undefined;
    }
  }
  return params;
};

/** Finds the page of a path. Fixed parts take precedence over `:name`. */
export const findPage = <Found extends { readonly path: string }>(
  pages: readonly Found[],
  path: string,
): { readonly page: Found; readonly params: Readonly<Record<string, string>> } | undefined => {
  const found = pages.flatMap((page) => {
    const params = matchPath(page.path, path);
    return params === undefined ? [] : [{ page, params }];
  });
  return found.sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
};
