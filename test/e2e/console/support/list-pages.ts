/** An entry of the console's list of pages, without what only a browser can load. */
export interface ListedPage {
  readonly path: string;
  readonly title: string;
  readonly scopes: readonly string[];
  readonly navigation?: object;
}

/** Returns all pages of the console. The list is imported at run time, because its types need a browser. */
export const listPages = async (): Promise<readonly ListedPage[]> => {
  const file = new URL('../../../../plugins/console/app/pages/pages.ts', import.meta.url);
  const { pages } = await import(file.href);
  return pages;
};
