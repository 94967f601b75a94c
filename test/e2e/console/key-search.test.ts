import { beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { holdsFocus } from './support/focus.ts';
import { hold } from './support/hold.ts';
import { takeScreenshots } from './support/screenshots.ts';

describe.skipIf(!hasBrowser)('the search of the page of keys', () => {
  const world = consoleWorld();
  /** The ids of the keys by name. */
  const ids = new Map<string, string>();

  beforeAll(async () => {
    const names = ['The one', '100 %', ...Array.from({ length: 51 }, (_, at) => `Team ${at}`)];
    for (const name of names) {
      const { id = '' } = await control(world().gateway, 'POST /api-keys', { body: { name, scopes: [] } });
      ids.set(name, id);
    }
    await control(world().gateway, `DELETE /api-keys/${ids.get('100 %')}`);
  });

  it('finds a key on a later page by a part of its name, and keeps the text after a reload and after going back', async () => {
    const page = await world().open('/keys');
    const search = page.getByRole('search').getByRole('searchbox', { name: 'Search by name' });
    await page.getByText('1–50 of 53').waitFor();
    expect(await page.getByRole('button', { name: 'Edit The one' }).count()).toBe(0);
    await search.pressSequentially('hE o');
    await page.getByText('1 key found').waitFor();
    await page.getByRole('button', { name: 'Edit The one' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await search.evaluate(holdsFocus)).toBe(true);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'keys-found');

    await page.reload();
    await page.getByText('1 key found').waitFor();
    expect(await search.inputValue()).toBe('hE o');
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Providers' }).waitFor();
    await page.goBack();
    await page.getByText('1 key found').waitFor();
    expect(await search.inputValue()).toBe('hE o');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('1–50 of 53').waitFor();
    expect(await search.inputValue()).toBe('');
  });

  it('keeps the text on other pages of the list, and begins at the first page if the text changes', async () => {
    const page = await world().open('/keys?search=team');
    await page.getByText('1–50 of 51').waitFor();
    await page.getByText('51 keys found').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–51 of 51').waitFor();
    expect(await page.getByRole('button', { name: /^Edit/ }).allInnerTexts()).toHaveLength(1);
    await page.getByRole('button', { name: 'Edit Team 0' }).waitFor();
    await page.getByRole('searchbox').fill('t');
    await page.getByText('1–50 of 52').waitFor();
  });

  it('says so if no key is found, and offers to search keys of every status or to clear the text', async () => {
    const page = await world().open('/keys');
    const search = page.getByRole('searchbox');
    await search.fill('0 %');
    await page.getByRole('heading', { name: 'No active key has “0 %” in its name' }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search all keys' }).click();
    await page.getByRole('row', { name: '100 %' }).getByText('Revoked').waitFor();
    expect(await search.evaluate(holdsFocus)).toBe(true);
    await search.fill('%%');
    await page.getByRole('heading', { name: 'No key has “%%” in its name' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByText('1–50 of 54').waitFor();
    expect([await search.inputValue(), await search.evaluate(holdsFocus)]).toEqual(['', true]);
  });

  it('does not report that there are no keys before the keys of a changed text have arrived', async () => {
    const page = await world().open('/keys?search=none');
    await page.getByRole('heading', { name: 'No active key has “none” in its name' }).waitFor();
    const { asked, letGo } = await hold(page, '**/v1/api-keys?*');
    await page.getByRole('searchbox').fill('the one');
    await page.getByRole('searchbox').press('Enter');
    await asked;
    expect(await page.getByRole('heading', { name: /^No/ }).count()).toBe(0);
    letGo();
    await page.getByRole('button', { name: 'Edit The one' }).waitFor();
  });
});
