import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules that look at colours. Only these can find something new in a page's other colour scheme. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const;

/** Returns the problems that axe finds in a page, by all of its rules or by some: `rule: what it means (elements)`. */
export const findAxeProblems = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }[];
  }>(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })})`);
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join('; ')})`,
  );
};
