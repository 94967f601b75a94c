import path from 'node:path';
import { expect, it } from 'vitest';
import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { brokenLinks } from '../../support/readme/broken-links.ts';
import { folder, pages } from './support.ts';

/** Returns the text of a page without its code blocks. */
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

it('the reference links only to existing files and headings', () => {
  const broken = [...pages].flatMap(([page, text]) =>
    brokenLinks(text, path.join(folder, path.dirname(page))).map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('the reference has each heading once per page, so that its fragment is stable', () => {
  for (const [page, text] of pages) {
    const found = [...withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => toSlug(heading));
    expect(
      found.filter((each, at) => found.indexOf(each) !== at),
      page,
    ).toEqual([]);
  }
});

it('the reference has nothing that the site would interpret as its own markup', () => {
  for (const [page, text] of pages) {
    const plain = withoutBlocks(text)
      .replaceAll(/``.*?``|`[^`\n]*`/g, '')
      .replace(/<!--.*?-->/, '');
    expect(plain.match(/<(?!!--)[^\n]{0,40}|\{\{.{0,40}/g), page).toBeNull();
  }
});

/** Pages must stay readable. The largest lists are in tables. */
const longestPage = 80_000;

it('the reference has no page that is too long to read', () => {
  for (const [page, text] of pages) expect(text.length, page).toBeLessThan(longestPage);
});
