import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of all pages. */
export const docs: string = path.join(import.meta.dirname, '..');

/** The sections of the documentation, in order: folder and name. */
export const sections: readonly (readonly [folder: string, name: string])[] = [
  ['start', 'Start'],
  ['recipes', 'Recipes'],
  ['reference', 'Reference'],
  ['how-it-works', 'How it works'],
];

/** All pages, as paths below `docs/`. */
export const pages: readonly string[] = globSync('**/*.md', { cwd: docs }).sort();

export const readPage = (page: string): string => readFileSync(path.join(docs, page), 'utf8');

/** Converts the path of a page, or a link to it, into its path on the site. The `README.md` of a folder becomes its index. */
export const toSitePath = (page: string): string => page.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');

/** Returns the repository path of a relative link that is not to a page in `docs/`; undefined for other links. */
export const toSource = (href: string, page: string): string | undefined => {
  if (href === '' || /^(?:[a-z]+:|#|\/)/i.test(href)) return;
  const [file = ''] = href.split('#');
  const target = path.join(docs, path.dirname(page), file);
  const isPage = target.startsWith(`${docs}${path.sep}`) && target.endsWith('.md');
  return isPage ? undefined : path.relative(path.join(docs, '..'), target);
};

/** Returns the first heading of a page as plain text, or its file name if it has none. */
export const titleOf = (page: string): string =>
  /^# (.+)$/m.exec(readPage(page))?.[1]?.replaceAll('`', '') ?? path.basename(page, '.md');

/** Returns the index of a folder as a path below `docs/`; undefined if it has none. */
export const indexOf = (folder: string): string | undefined =>
  ['README.md', 'index.md'].map((name) => path.join(folder, name)).find((page) => existsSync(path.join(docs, page)));
