import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The folder that `npm run console:screenshots` sets. Without it, no pictures are taken. */
const folder = process.env.GW_CONSOLE_SCREENSHOTS;

const variants = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { name: '320', colorScheme: 'light', width: 320, height: 640 },
] as const;

/** Writes `NAME-light.png`, `NAME-dark.png` and `NAME-320.png` of what a page shows. */
export const takeScreenshots = async (page: Page, name: string, into: string | undefined = folder): Promise<void> => {
  if (into === undefined) return;
  mkdirSync(into, { recursive: true });
  const before = page.viewportSize();
  for (const { name: variant, colorScheme, width, height } of variants) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    // The colours of the other scheme are painted one frame later.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.screenshot({ path: path.join(into, `${name}-${variant}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
};
