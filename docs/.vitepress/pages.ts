import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of all pages. */
export const docs: string = path.join(import.meta.dirname, '..');

/** The doors of the documentation, in order: their folders, and their names. */
export const doors: readonly (readonly [folder: string, name: string])[] = [
  ['start', 'Start'],
  ['recipes', 'Recipes'],
  ['reference', 'Reference'],
  ['how-it-works', 'How it works'],
];

/** All pages, as paths below `docs/`. */
export const pages: readonly string[] = globSync('**/*.md', { cwd: docs }).sort();

export const readPage = (page: string): string => readFileSync(path.join(docs, page), 'utf8');

/** Where the site has a page, or a link to it leads: the `README.md` of a folder is its index. */
export const toSitePath = (page: string): string => page.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');

/** The path in the repository of a relative link that leads out of `docs/`, or to a folder without a page. */
export const toSource = (href: string, page: string): string | undefined => {
  if (href === '' || /^(?:[a-z]+:|#|\/)/i.test(href)) return;
  const [file = ''] = href.split('#');
  const target = path.join(docs, path.dirname(page), file);
  const isPage = target.startsWith(`${docs}${path.sep}`) && target.endsWith('.md');
  return isPage ? undefined : path.relative(path.join(docs, '..'), target);
};

/** The first heading of a page as plain text, or else its file's name. */
export const titleOf = (page: string): string =>
  /^# (.+)$/m.exec(readPage(page))?.[1]?.replaceAll('`', '') ?? path.basename(page, '.md');

/** The index of a folder, as a path below `docs/`, if it has one. */
export const indexOf = (folder: string): string | undefined =>
  ['README.md', 'index.md'].map((name) => path.join(folder, name)).find((page) => existsSync(path.join(docs, page)));
