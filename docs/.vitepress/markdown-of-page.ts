import path from 'node:path';
import { toDownload } from './downloads.ts';
import { toPackagePath } from './package-files.ts';
import { toSitePath, toSource } from './pages.ts';

const fence = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm;

/** Removes comments: directives for the tests of the documentation, and notes on how a page is generated. */
const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?-->\n*/g, '');

/** Converts links for the site. A link to a repository file that the site does not have becomes its path in the package. */
const withSiteLinks = (text: string, page: string): string =>
  text.replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (_whole, label: string, href: string) => {
    const source = toSource(href, page);
    if (source === undefined) return `[${label}](${/^[a-z]+:/i.test(href) ? href : toSitePath(href)})`;
    const download = toDownload(source);
    if (download !== undefined) return `[${label}](${path.posix.relative(path.posix.dirname(page), download)})`;
    const place = toPackagePath(source);
    return label.replaceAll('`', '') === source ? place : `${label} (${place})`;
  });

/**
 * Converts the Markdown of a page for readers of the site, but not its code blocks. Links to source files work in a clone, in
 * the package and at the repository's host. The site has no such address, unless it has a copy of the file.
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
