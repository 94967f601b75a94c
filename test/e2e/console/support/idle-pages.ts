import type { Browser, Page } from 'playwright-core';
import { reportViolations } from './watch-page.ts';

/**
 * Pages that tests use one after another, because a new page is a window of a new profile, which takes longer to open than most
 * pages do. They keep nothing from the test before, except for the console's files that the browser caches.
 */
export class IdlePages {
  readonly #idle: Page[] = [];
  readonly #browser: Browser;
  readonly #origin: string;

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  /** A page that is not signed in. */
  async take(): Promise<Page> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const context = await this.#browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });
    await reportViolations(context);
    return context.newPage();
  }

  /** Returns a page to the pool, or discards it if its test has closed or lost it. */
  async give(page: Page): Promise<void> {
    const context = page.context();
    try {
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const other of context.pages()) if (other !== page) await other.close();
      // Only a document of the same origin that is not a page of the console can empty the storage of pages.
      await page.goto(`${this.#origin}/console/assets/none`);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await context.clearCookies();
      this.#idle.push(page);
    } catch {
      await context.close();
    }
  }

  async close(): Promise<void> {
    for (const page of this.#idle.splice(0)) await page.context().close();
  }
}
