import type { Page } from 'playwright-core';

/** Answers that a page waits for. */
export interface Held {
  /** Resolves when the gateway has answered the first of them. */
  readonly asked: Promise<void>;
  /** Delivers the held answers to the page, and all later ones immediately. */
  letGo(): void;
}

/** Holds back the gateway's answers to a page: the gateway answers immediately, but the page receives the answers late. */
export const hold = async (page: Page, url: string, method = 'GET'): Promise<Held> => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    ask();
    await held;
    // The page may have aborted the request.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { asked, letGo };
};
