import type { Page } from './page.ts';
import { matchPath } from './router.ts';

/** The page of a path; fixed parts win over `:name`. */
export const findPage = (
  pages: readonly Page[],
  path: string,
): { readonly page: Page; readonly params: Readonly<Record<string, string>> } | undefined => {
  const found = pages.flatMap((page) => {
    const params = matchPath(page.path, path);
    return params === undefined ? [] : [{ page, params }];
  });
  return found.sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
};
