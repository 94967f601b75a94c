import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors, indexOf, pages, titleOf, toSitePath } from '../../docs/.vitepress/pages.ts';
import { toSlug } from '../../docs/.vitepress/slug.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildSite } from './support/site/build-site.ts';
import { deadLinks } from './support/site/dead-links.ts';
import { referenceNames } from './support/site/reference-names.ts';
import { type Found, readSearch } from './support/site/search-index.ts';

// Not at the root, so that an address without the base path is found to be dead.
const base = '/gatewright/docs/';

describe('the site', () => {
  let folder = '';
  let remove = (): void => {};
  let search: (query: string) => readonly Found[] = () => [];
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

  beforeAll(async () => {
    folder = temporaryFolder({}, (clean) => {
      remove = clean;
    });
    await buildSite(base, folder);
    search = await readSearch(folder);
  }, 180_000);

  afterAll(() => remove());

  it('has no link that leads nowhere', () => {
    expect(deadLinks(folder, base)).toEqual([]);
  });

  it('has each page, which its readers reach from its door', () => {
    const unreached = pages.filter((page) => {
      const index = indexOf(path.dirname(page));
      if (index === undefined || index === page) return false;
      return !read(toSitePath(index).replace(/md$/, 'html')).includes(`/${toSitePath(page).replace(/md$/, 'html')}"`);
    });
    expect(unreached).toEqual([]);
  });

  it('has a text in each page that is there without JavaScript, and links to the doors', () => {
    for (const page of pages) {
      const html = read(toSitePath(page).replace(/md$/, 'html'));
      expect(html, page).toContain('<main');
      for (const [door] of doors.filter(([name]) => indexOf(name) !== undefined))
        expect(html, page).toContain(`<a href="${base}${door}/index.html">`);
    }
  });

  it('has no script that is not of the site, and a policy that allows no other', () => {
    for (const page of pages) {
      const html = read(toSitePath(page).replace(/md$/, 'html'));
      const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
      expect(policy, page).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
      expect(policy, page).not.toMatch(/unsafe-eval|https?:/);
      expect(html, page).not.toMatch(/<(?:script|img|iframe|link)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('has the Markdown of each page beside it, and lists of them for language models', () => {
    const list = read('llms.txt');
    const whole = read('llms-full.txt');
    for (const page of pages.filter((each) => each !== 'index.md')) {
      expect(read(toSitePath(page))).toMatch(/^(?:<!--.*-->\s+)?# /);
      if (doors.some(([door]) => indexOf(door) !== undefined && page.startsWith(`${door}/`)))
        expect(list).toContain(`](${toSitePath(page)})`);
      if (page.startsWith('recipes/')) expect(whole).toContain(`# ${titleOf(page)}\n`);
    }
  });

  it.each(Object.entries(referenceNames))('finds first, of its search: %s', (_kind, { names, under }) => {
    expect(names.length).toBeGreaterThan(5);
    const missed = names.filter((name) => {
      const { id = '' } = search(name)[0] ?? {};
      return !(under.some((place) => id.startsWith(`${base}reference/${place}`)) && id.endsWith(`#${toSlug(name)}`));
    });
    expect(missed.map((name) => `${name}: ${search(name)[0]?.id}`)).toEqual([]);
  });

  it.each([
    ['override_params', 'reference/config/targets.html#override_params'],
    ['claude code', 'recipes/claude-code.html'],
    ['kubernets', 'recipes/kubernetes'],
    ['budget', 'recipes/limit-what-a-user-spends.html'],
  ])('finds for %s', (query, address) => {
    const found = search(query).slice(0, 5);
    expect(
      found.some(({ id }) => id.startsWith(`${base}${address}`)),
      found.map(({ id }) => id).join('\n'),
    ).toBe(true);
  });
});
