import type { Page, Request } from 'playwright-core';

/** What pages have asked for and not yet got whole. */
const asked = new WeakMap<Page, Set<Request>>();

/** Notes from now on what a page asks for. A stream of events, which never ends, is not waited for. */
export const noteRequests = (page: Page): void => {
  const open = new Set<Request>();
  asked.set(page, open);
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
};

/** Waits until the page has drawn twice, so that what came is shown and has asked for what it needs; whether nothing in it is loading. */
const look = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  setTimeout(() => done(document.querySelector('main .spinner') === null), 20))))`;

/** A page with something that loads for ever is not waited for longer. */
const longestMs = 3000;

/** Waits until a page asks for nothing for so long, and nothing in it is still loading. */
export const untilQuiet = async (page: Page, quietMs = 60): Promise<void> => {
  const open = asked.get(page) ?? new Set();
  const begun = performance.now();
  let noisy = begun;
  for (let now = begun; now - noisy < quietMs && now - begun < longestMs; now = performance.now()) {
    const isLoaded = await page.evaluate<boolean>(look);
    if (!isLoaded || open.size > 0) noisy = performance.now();
  }
};
