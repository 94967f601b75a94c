import path from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { docs, indexOf, pages, readPage, sections, titleOf, toSitePath } from './pages.ts';

type Item = DefaultTheme.SidebarItem;

const toAddress = (page: string): string =>
  `/${toSitePath(page)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`;

const toItem = (page: string): Item => ({ text: titleOf(page), link: toAddress(page) });

interface Group {
  readonly heading: string | undefined;
  readonly pages: string[];
}

/** Returns the pages that an index links to, grouped by its second-level headings. Each page is listed once. */
const linkedPages = (index: string): readonly Group[] => {
  const groups: Group[] = [{ heading: undefined, pages: [] }];
  const seen = new Set<string>();
  for (const line of readPage(index).split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ heading, pages: [] });
    for (const [, link = ''] of line.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)) {
      const page = path.relative(docs, path.join(docs, path.dirname(index), link));
      if (seen.has(page)) continue;
      seen.add(page);
      groups.at(-1)?.pages.push(page);
    }
  }
  return groups;
};

/** Whether a page is in a folder, or is the index of one of its subfolders. */
const isIn = (folder: string, page: string): boolean =>
  path.dirname(page) === folder ||
  (path.dirname(path.dirname(page)) === folder && indexOf(path.dirname(page)) === page);

/** Returns the sidebar of a folder, grouped like its index. Pages that the index does not link to come last. */
const sidebarOf = (folder: string, index: string): Item[] => {
  const inside = pages.filter((page) => page !== index && isIn(folder, page));
  const groups = linkedPages(index)
    .map(({ heading, pages: linked }) => ({ heading, pages: linked.filter((page) => inside.includes(page)) }))
    .filter(({ pages: linked }) => linked.length > 0);
  const named = new Set(groups.flatMap(({ pages: linked }) => linked));
  const others = inside.filter((page) => !named.has(page));
  const parent = folder.includes('/') ? indexOf(path.dirname(folder)) : undefined;
  return [
    ...(parent === undefined ? [] : [{ text: `← ${titleOf(parent)}`, link: toAddress(parent) }]),
    toItem(index),
    ...groups.flatMap(({ heading, pages: linked }): Item[] =>
      heading === undefined ? linked.map(toItem) : [{ text: heading, items: linked.map(toItem) }],
    ),
    ...others.map(toItem),
  ];
};

/** The sidebar of each folder that has an index, by the address of the folder. */
export const sidebar: DefaultTheme.SidebarMulti = Object.fromEntries(
  [...new Set(pages.map((page) => path.dirname(page)))].flatMap((folder) => {
    const index = folder === '.' ? undefined : indexOf(folder);
    return index === undefined ? [] : [[`/${folder}/`, sidebarOf(folder, index)]];
  }),
);

/** The sections that have an index. */
export const nav: DefaultTheme.NavItem[] = sections.flatMap(([folder, text]) => {
  const index = indexOf(folder);
  return index === undefined ? [] : [{ text, link: toAddress(index), activeMatch: `^/${folder}/` }];
});
