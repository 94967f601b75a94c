import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { patience } from '../../../support/run/patience.ts';
import { findUnseenFocus, holdsFocus } from './focus.ts';

/** How a person uses a page: with the mouse, or by keyboard alone. */
export interface Hand {
  /** Opens a page of the console by its title. */
  open(title: string): Promise<void>;
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a list by its text. */
  choose(target: Locator, option: string): Promise<void>;
  /** Chooses a radio button or a tab. */
  pick(target: Locator): Promise<void>;
}

/** Replaces the text of the focused field. */
const overwrite = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};

/** Uses a page with the mouse, and types. */
export const mouse = (page: Page): Hand => ({
  open: (title) => page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click(),
  press: (target) => target.click(),
  async write(target, text) {
    await target.click();
    await overwrite(page, text);
  },
  async choose(target, option) {
    await target.selectOption({ label: option });
  },
  pick: (target) => target.click(),
});

/** More stops than any page has. */
const maxStops = 250;

/** Moves to a control by Tab, or back by Shift+Tab, and checks that the focus is visible there. */
const reach = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor();
  await expect.poll(() => target.isEnabled(), patience).toBe(true);
  const isBefore = await target.evaluate((element) => {
    const { activeElement } = Object(globalThis).document;
    return (Object(activeElement).compareDocumentPosition(element) & 2) !== 0;
  });
  // It takes longer to find a control by its role than to press a key. It is searched again only after some presses, because the
  // page may replace it.
  let found = await target.elementHandle();
  for (let stop = 0; !(await found?.evaluate(holdsFocus)); stop += 1) {
    if (stop === maxStops) throw new Error(`No key leads to ${target}.`);
    if (stop % 10 === 9) found = await target.elementHandle();
    await page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab');
  }
  expect(await page.evaluate(findUnseenFocus)).toBe('');
};

/** Uses a page by keyboard alone: pages by the palette, controls by Tab, lists and groups by arrow keys. */
export const keyboard = (page: Page): Hand => ({
  async open(title) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type(`Go to ${title}`);
    await page.keyboard.press('Enter');
  },
  async press(target) {
    await reach(page, target);
    await page.keyboard.press('Enter');
  },
  async write(target, text) {
    await reach(page, target);
    await overwrite(page, text);
  },
  async choose(target, option) {
    await reach(page, target);
    const options = await target.locator('option').allInnerTexts();
    const chosen = await target.locator('option:checked').innerText();
    const steps = options.indexOf(option) - options.indexOf(chosen);
    for (let step = 0; step < Math.abs(steps); step += 1)
      await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    expect(await target.locator('option:checked').innerText()).toBe(option);
  },
  async pick(target) {
    const found = await target.evaluateHandle((element) => {
      const group = Object(element).closest('fieldset, [role=tablist]');
      return group.querySelector('input:checked, [aria-selected=true]');
    });
    const chosen = found.asElement();
    if (chosen === null) throw new Error(`Nothing is chosen beside ${target}.`);
    await chosen.evaluate((element) => Object(element).setAttribute('data-chosen', ''));
    await reach(page, page.locator('[data-chosen]'));
    await chosen.evaluate((element) => Object(element).removeAttribute('data-chosen'));
    for (let stop = 0; !(await target.evaluate(holdsFocus)); stop += 1) {
      if (stop === maxStops) throw new Error(`No arrow leads to ${target}.`);
      await page.keyboard.press('ArrowRight');
    }
  },
});
