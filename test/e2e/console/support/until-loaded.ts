import type { Page } from 'playwright-core';

/** A page that follows events waits for its network for ever. */
const longestIdleMs = 3000;

/** Waits until a page has its heading, and nothing in it is still loading. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle', { timeout: longestIdleMs }).catch(() => undefined);
  await page.waitForFunction(() => Object(globalThis).document.querySelector('main .spinner') === null);
};
