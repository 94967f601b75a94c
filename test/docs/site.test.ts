import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexOf, pages, sections, titleOf, toSitePath } from '../../docs/.vitepress/pages.ts';
import { searchWords } from '../../docs/.vitepress/search-words.ts';
import { toSlug } from '../../docs/.vitepress/slug.ts';
import { root } from '../../tools/build/package-modules.ts';
import { findAxeProblems } from '../e2e/console/support/axe.ts';
import { hasBrowser, startBrowser } from '../e2e/console/support/browser.ts';
import { reportViolations, watchPage } from '../e2e/console/support/watch-page.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';
import { brokenLinks } from '../support/readme/broken-links.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';
import { buildSite } from './support/site/build-site.ts';
import { deadLinks } from './support/site/dead-links.ts';
import { referenceNames } from './support/site/reference-names.ts';
import { sampledAddresses } from './support/site/sample-pages.ts';
import { type Found, readSearch } from './support/site/search-index.ts';
import { type ServedSite, serveSite } from './support/site/serve-site.ts';

// It is not the root, so that an address without the base path is found to be dead.
const base = '/gatewright/docs/';

const schemes = ['light', 'dark'] as const;

const narrow = { width: 320, height: 640 };

describe('the site', () => {
  let folder = '';
  let remove = (): void => {};
  let served: ServedSite;
  let browser: Browser | undefined;
  let search: (query: string) => readonly Found[] = () => [];
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

  beforeAll(async () => {
    folder = temporaryFolder({}, (clean) => {
      remove = clean;
    });
    await buildSite(base, folder);
    search = await readSearch(folder);
    served = await serveSite(folder, base);
    if (hasBrowser) browser = await startBrowser();
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    served.close();
    remove();
  });

  it('has no dead link', () => {
    expect(deadLinks(folder, base)).toEqual([]);
  });

  it('has each page, reachable from its entry page', () => {
    const unreached = pages.filter((page) => {
      const index = indexOf(path.dirname(page));
      if (index === undefined || index === page) return false;
      return !read(toSitePath(index).replace(/md$/, 'html')).includes(`/${toSitePath(page).replace(/md$/, 'html')}"`);
    });
    expect(unreached).toEqual([]);
  });

  it('has a text in each page that needs no JavaScript, with links to the entry pages', () => {
    for (const page of pages) {
      const html = read(toSitePath(page).replace(/md$/, 'html'));
      expect(html, page).toContain('<main');
      for (const [folder] of sections.filter(([name]) => indexOf(name) !== undefined))
        expect(html, page).toContain(`<a href="${base}${folder}/index.html">`);
    }
  });

  it('loads no script of another site, and has a policy that allows none', () => {
    for (const page of pages) {
      const html = read(toSitePath(page).replace(/md$/, 'html'));
      const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
      expect(policy, page).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
      expect(policy, page).not.toMatch(/unsafe-eval|https?:/);
      expect(html, page).not.toMatch(/<(?:script|img|iframe|link)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('provides the Markdown of each page, and lists of the pages for language models', () => {
    const list = read('llms.txt');
    const whole = read('llms-full.txt');
    for (const page of pages.filter((each) => each !== 'index.md')) {
      expect(read(toSitePath(page))).toMatch(/^(?:<!--.*-->\s+)?# /);
      if (sections.some(([folder]) => indexOf(folder) !== undefined && page.startsWith(`${folder}/`)))
        expect(list).toContain(`](${toSitePath(page)})`);
      if (page.startsWith('recipes/')) expect(whole).toContain(`# ${titleOf(page)}\n`);
    }
  });

  it('provides the files that recipes have readers copy, as they are in the package', () => {
    const html = read('recipes/systemd.html');
    expect(html).toContain('<a href="../files/deploy/systemd/gatewright.service" download="">');
    for (const file of ['deploy/systemd/gatewright.service', 'deploy/kubernetes/gateway.yaml', 'CHANGELOG.md'])
      expect(read(`files/${file}`)).toBe(readFileSync(path.join(root, file), 'utf8'));
  });

  it('shows the name of each file above its text', () => {
    const names = read('recipes/container.html').matchAll(/<p class="file-name"><code>([^<]+)<\/code>/g);
    expect([...names].map(([, name]) => name)).toEqual([
      'gateway.json',
      'configs/chat.json',
      'Dockerfile',
      'no-keys.json',
    ]);
  });

  it('says of each README outside the site that it is in the package', () => {
    const places = pages.flatMap((page) => {
      const text = read(toSitePath(page));
      return [...text.matchAll(/(?<![\w:/.-])[\w.-][\w./-]*README\.md(?: of the package)?/g)].map(([place]) => ({
        page,
        place,
      }));
    });
    expect(places.length).toBeGreaterThan(0);
    for (const { page, place } of places) {
      const [file = 'nowhere'] = /(?<=^node_modules\/gatewright\/).+|^.+(?= of the package$)/.exec(place) ?? [];
      expect(existsSync(path.join(root, file)), `${page}: ${place}`).toBe(true);
    }
  });

  it('has only working links in its Markdown, and no comments for tests', () => {
    for (const page of pages.map(toSitePath)) {
      expect(brokenLinks(read(page), path.join(folder, path.dirname(page))), page).toEqual([]);
      expect(read(page).replaceAll(/^```[\s\S]*?^```$/gm, ''), page).not.toContain('<!--');
    }
  });

  it.each(Object.entries(referenceNames))(
    'finds each name first in its search: %s',
    (_kind, { names, under, heading }) => {
      expect(names.length).toBeGreaterThan(5);
      const missed = names.filter((name) => {
        const { id = '' } = search(name)[0] ?? {};
        return !(
          under.some((place) => id.startsWith(`${base}reference/${place}`)) &&
          id.endsWith(`#${toSlug(heading ?? name)}`)
        );
      });
      expect(missed.map((name) => `${name}: ${search(name)[0]?.id}`)).toEqual([]);
    },
  );

  it.each(Object.entries(searchWords))('finds the page first by everyday words: %s', (page, words) => {
    const address = `${base}${toSitePath(page).replace(/md$/, 'html')}`;
    const names = new Set(Object.values(referenceNames).flatMap((kind) => kind.names));
    const missed = words.filter((query) => {
      // The entry of the name itself comes first.
      const found = search(query).slice(names.has(query) ? 1 : 0);
      return found[0]?.id.startsWith(address) !== true;
    });
    expect(missed.map((query) => `${query}: ${search(query)[0]?.id}`)).toEqual([]);
  });

  it('searches for each everyday phrase on one page only, which exists', () => {
    const words = Object.values(searchWords).flat();
    expect(words.filter((each, at) => words.indexOf(each) !== at)).toEqual([]);
    expect(Object.keys(searchWords).filter((page) => !pages.includes(page))).toEqual([]);
  });

  it.each([
    ['override_params', 'reference/config/targets.html#override_params'],
    ['AB03', 'reference/errors/#codes-of-the-control-plane'],
    ['kubernets', 'recipes/kubernetes'],
    ['100 dollars a month', 'recipes/limit-what-a-user-spends.html'],
  ])('finds the page for %s', (query, address) => {
    const found = search(query).slice(0, 5);
    expect(
      found.some(({ id }) => id.startsWith(`${base}${address}`)),
      found.map(({ id }) => id).join('\n'),
    ).toBe(true);
  });

  describe.skipIf(!hasBrowser)('in a browser', () => {
    /** Opens a page, inspects it, and returns everything that went wrong in the browser meanwhile. */
    const look = async (
      address: string,
      options: BrowserContextOptions,
      inspect: (page: Page) => Promise<void>,
    ): Promise<readonly string[]> => {
      if (browser === undefined) throw new Error('There is no browser.');
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      await reportViolations(context);
      const page = await context.newPage();
      const problems = watchPage(page, served.origin);
      await page.goto(`${served.origin}${base}${address}`, { waitUntil: 'networkidle' });
      await inspect(page);
      await context.close();
      return problems;
    };

    const widthOf = async (page: Page): Promise<number> =>
      Number(await page.evaluate('document.documentElement.scrollWidth'));

    const expectCleanByAxe = async (page: Page, scheme: 'light' | 'dark'): Promise<void> => {
      await page.emulateMedia({ colorScheme: scheme });
      await expect.poll(() => page.locator('html.dark').count()).toBe(scheme === 'dark' ? 1 : 0);
      expect(await findAxeProblems(page)).toEqual([]);
    };

    describe.each(schemes)('in %s', (scheme) => {
      it.each(sampledAddresses(`in ${scheme}`))('/%s has no findings of axe, and fits 320 pixels', async (address) => {
        const problems = await look(address, {}, async (page) => {
          await expectCleanByAxe(page, scheme);
          await page.setViewportSize(narrow);
          expect(await widthOf(page)).toBe(narrow.width);
        });
        expect(problems).toEqual([]);
      });
    });

    it.each(sampledAddresses('without JavaScript'))(
      '/%s is readable without JavaScript, with links to the entry pages',
      async (address) => {
        await look(address, { javaScriptEnabled: false, viewport: narrow }, async (page) => {
          expect(await page.locator('main h1').isVisible()).toBe(true);
          expect(await page.locator('.plain-sections a').first().isVisible()).toBe(true);
          expect(await page.locator('button:visible').count()).toBe(0);
          expect(await widthOf(page)).toBe(narrow.width);
        });
      },
    );

    it('has a search without findings of axe: with results, with their texts, and with no results', async () => {
      /** Checks each state of the search in one of the two colour schemes, and in the other one in the next sample. */
      const expectClean = async (page: Page, state: number): Promise<void> => {
        for (const [at, scheme] of schemes.entries())
          if (isSampled(state, at, schemes.length)) await expectCleanByAxe(page, scheme);
      };
      const problems = await look('', {}, async (page) => {
        await page.keyboard.press('/');
        const input = page.getByRole('combobox', { name: 'Search' });
        await input.fill('strategy');
        await page.getByRole('option', { name: 'strategy.mode' }).waitFor();
        await expectClean(page, 0);
        await page.getByRole('button', { name: 'Display detailed list' }).click();
        await page.locator('.excerpt').first().waitFor();
        await expectClean(page, 1);
        await input.fill('zzzzqqqq');
        await page.locator('.no-results').waitFor();
        await expectClean(page, 2);
      });
      expect(problems).toEqual([]);
    });

    it('finds a code in its search, and Enter opens the first result', async () => {
      const problems = await look('', {}, async (page) => {
        await page.keyboard.press('/');
        await page.locator('#localsearch-input').fill('unknown-target');
        await page.locator('.result').first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${base}reference/diagnostics/unknown-target.html*`);
      });
      expect(problems).toEqual([]);
    });
  });
});
