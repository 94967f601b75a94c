import type { Page } from 'playwright-core';

/** Answers that a page waits for. */
export interface Held {
  /** Resolves once the gateway has answered the first of them. */
  readonly asked: Promise<void>;
  /** Gives the page those that came, and those that come. */
  letGo(): void;
}

/** Holds the answers of the gateway to a page: they are made at once, and come late. */
export const hold = async (page: Page, url: string, method = 'GET'): Promise<Held> => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    ask();
    await held;
    // The page may have given up the question.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return { asked, letGo };
};
