import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { slug } from '../../support/reference/markdown.ts';
import { folder, pages } from './support.ts';

/** The text of a page without its blocks of code. */
const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The fragments of a page: those of repeated headings have a number. */
const fragments = (text: string): ReadonlySet<string> => {
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)) {
    const own = slug(heading);
    const count = seen.get(own) ?? 0;
    seen.set(own, count + 1);
    found.add(count === 0 ? own : `${own}-${count}`);
  }
  return found;
};

const brokenLinks = (page: string, text: string): readonly string[] =>
  [
    ...withoutBlocks(text)
      .replaceAll(/`[^`\n]*`(?!\])/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [target = '', fragment] = link.split('#');
      const file = path.join(folder, path.dirname(page), target === '' ? path.basename(page) : target);
      if (!existsSync(file)) return true;
      return fragment !== undefined && !fragments(readFileSync(file, 'utf8')).has(fragment);
    })
    .map((link) => `${page}: ${link}`);

it('links to files and headings that there are', () => {
  expect([...pages].flatMap(([page, text]) => brokenLinks(page, text))).toEqual([]);
});

it('has each heading once on a page, so that its fragment is stable', () => {
  for (const [page, text] of pages) {
    const found = [...withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => slug(heading));
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
