/** A page of the console as the list of pages has it, without what only a browser can load. */
export interface ListedPage {
  readonly path: string;
  readonly title: string;
  readonly scopes: readonly string[];
  readonly navigation?: object;
}

/** All pages of the console. Their list is read as it is: its types are of the browser. */
export const listPages = async (): Promise<readonly ListedPage[]> => {
  const file = new URL('../../../../plugins/console/app/pages/pages.ts', import.meta.url);
  const { pages } = await import(file.href);
  return pages;
};
