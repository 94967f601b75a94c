import type { Page, Request } from 'playwright-core';

/** Requests of pages that have not been answered completely. */
const asked = new WeakMap<Page, Set<Request>>();

/** Starts to record the requests of a page. Streams of events are ignored, because they never end. */
export const noteRequests = (page: Page): void => {
  const open = new Set<Request>();
  asked.set(page, open);
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
};

/**
 * Waits until the page has drawn twice, so that what arrived is shown and has requested what it needs. Returns whether nothing is
 * loading.
 */
const look = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  setTimeout(() => done(document.querySelector('main .spinner') === null), 20))))`;

/** The longest wait, for a page in which something loads for ever. */
const longestMs = 3000;

/** Waits until a page has sent no request for this long and nothing in it is loading. */
export const untilQuiet = async (page: Page, quietMs = 60): Promise<void> => {
  const open = asked.get(page) ?? new Set();
  const begun = performance.now();
  let noisy = begun;
  for (let now = begun; now - noisy < quietMs && now - begun < longestMs; now = performance.now()) {
    const isLoaded = await page.evaluate<boolean>(look);
    if (!isLoaded || open.size > 0) noisy = performance.now();
  }
};
