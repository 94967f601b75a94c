import path from 'node:path';
import { toDownload } from './downloads.ts';
import { toReadersPath } from './package-files.ts';
import { toSitePath, toSource } from './pages.ts';

const fence = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm;

/** Directions for the tests of the documentation, and where a page is made from. */
const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?-->\n*/g, '');

/** Links as they lead on the site; one to a file of the repository that the site does not have is its path in the package. */
const withSiteLinks = (text: string, page: string): string =>
  text.replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (_whole, label: string, href: string) => {
    const source = toSource(href, page);
    if (source === undefined) return `[${label}](${/^[a-z]+:/i.test(href) ? href : toSitePath(href)})`;
    const download = toDownload(source);
    if (download !== undefined) return `[${label}](${path.posix.relative(path.posix.dirname(page), download)})`;
    const place = toReadersPath(source);
    return label.replaceAll('`', '') === source ? place : `${label} (${place})`;
  });

/**
 * The Markdown of a page for readers of the site; blocks of code are as they are. The site is not at the host of the repository, so that
 * a link to a source of it has no address there, unless the site has a copy. In the clone, at the repository's host and in the
 * package the link works.
 */
export const toReadable = (text: string, page: string): string => {
  const parts: string[] = [];
  let end = 0;
  const readable = (part: string): string => withSiteLinks(withoutComments(part), page);
  for (const { 0: block, index } of text.matchAll(fence)) {
    parts.push(readable(text.slice(end, index)), block);
    end = index + block.length;
  }
  return [...parts, readable(text.slice(end))].join('');
};
