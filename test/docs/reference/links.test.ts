import path from 'node:path';
import { expect, it } from 'vitest';
import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { brokenLinks } from '../../support/readme/broken-links.ts';
import { folder, pages } from './support.ts';

/** The text of a page without its blocks of code. */
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

it('links to files and headings that there are', () => {
  const broken = [...pages].flatMap(([page, text]) =>
    brokenLinks(text, path.join(folder, path.dirname(page))).map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('has each heading once on a page, so that its fragment is stable', () => {
  for (const [page, text] of pages) {
    const found = [...withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => toSlug(heading));
    expect(
      found.filter((each, at) => found.indexOf(each) !== at),
      page,
    ).toEqual([]);
  }
});

it('has nothing that the site would take for its own markup', () => {
  for (const [page, text] of pages) {
    const plain = withoutBlocks(text)
      .replaceAll(/``.*?``|`[^`\n]*`/g, '')
      .replace(/<!--.*?-->/, '');
    expect(plain.match(/<(?!!--)[^\n]{0,40}|\{\{.{0,40}/g), page).toBeNull();
  }
});

/** So that a page can be read; the largest lists are in tables. */
const longestPage = 80_000;

it('has no page that is too long to read', () => {
  for (const [page, text] of pages) expect(text.length, page).toBeLessThan(longestPage);
});
