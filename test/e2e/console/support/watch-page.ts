import type { BrowserContext, Page } from 'playwright-core';

/** Refusals that a page shows. The browser also prints them. */
const isShownRefusal = (text: string): boolean => /^Failed to load resource: .* status of 4\d\d/.test(text);

/**
 * Collects what must not happen in a page: exceptions, errors on the browser's console (which include everything that the
 * security policy refused), requests to other hosts, and missing files of the console.
 */
export const watchPage = (page: Page, origin: string): readonly string[] => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`exception: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isShownRefusal(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) problems.push(`foreign request: ${url}`);
  });
  page.on('response', (response) => {
    const url = response.url();
    if (response.status() >= 500 || (response.status() >= 400 && url.includes('/console/assets/')))
      problems.push(`${response.status()}: ${url}`);
  });
  return problems;
};

const report =
  "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`security policy: ${violatedDirective} refused ${blockedURI}`))";

/** Reports each violation of the security policy as an error, including those that the browser does not print. */
export const reportViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript({ content: report });
