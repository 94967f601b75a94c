import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds in a page: `rule: what it means (elements)`. */
export const findAxeProblems = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }[];
  }>('axe.run(document, { resultTypes: ["violations"] })');
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join('; ')})`,
  );
};
