import type { Page } from 'playwright-core';

/** When a page showed its content, and the calls that it made for it. */
export interface Settled {
  /** Milliseconds from the navigation to the last change before the page settled. */
  readonly ms: number;
  readonly calls: readonly { readonly url: string; readonly ms: number }[];
}

/** A page without pending calls has settled after this time without a change. */
const quietMs = 400;

/** A script to run before the page's own: records when the page changes, and which calls are pending. */
export const noteChanges: string = `
  window.benchChanged = 0;
  window.benchWaiting = 0;
  const ask = window.fetch;
  window.fetch = async (...given) => {
    window.benchWaiting += 1;
    try {
      const answer = await ask(...given);
      if (!(answer.headers.get('content-type') ?? '').includes('event-stream')) await answer.clone().arrayBuffer();
      return answer;
    } finally {
      window.benchWaiting -= 1;
    }
  };
  new MutationObserver(() => { window.benchChanged = performance.now(); })
    .observe(document, { subtree: true, childList: true, characterData: true });
  window.benchIsQuiet = () =>
    window.benchWaiting === 0 && document.querySelector('h1') !== null &&
    document.querySelector('main .spinner') === null && performance.now() - window.benchChanged > ${quietMs};
`;

const read = `({
  ms: window.benchChanged,
  calls: performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.startsWith('/v1/'))
    .map(({ name, duration }) => ({ url: name, ms: duration })),
})`;

/** Opens an address, and waits until the page has settled. */
export const openSettled = async (page: Page, url: string): Promise<Settled> => {
  await page.goto(url);
  await page.waitForFunction(() => Object(globalThis).benchIsQuiet(), undefined, { timeout: 60_000 });
  return page.evaluate<Settled>(read);
};
