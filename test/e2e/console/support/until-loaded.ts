import type { Page } from 'playwright-core';
import { untilQuiet } from './until-quiet.ts';

/** Editors send their text to the gateway half a second after it changed. */
const quietMs = 500;

/** Waits until a page has its heading and nothing in it is loading. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await untilQuiet(page, quietMs);
  await page.waitForFunction(() => Object(globalThis).document.querySelector('main .spinner') === null);
};
