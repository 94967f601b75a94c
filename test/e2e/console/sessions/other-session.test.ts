import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { adminKey, control } from '../../../support/gateways/stored-gateway.ts';
import { hasBrowser } from '../support/browser.ts';
import { consoleWorld } from '../support/console-world.ts';
import { hold } from '../support/hold.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const who = (page: Page) => page.locator('.navigation-who');

describe.skipIf(!hasBrowser)('a page of the console, when another session begins,', () => {
  const world = consoleWorld();

  const makeKey = (name: string, scopes: readonly string[]) =>
    control(world().gateway, 'POST /api-keys/workspace/service', { body: { name, scopes, workspace_id: 'default' } });

  it('shows who is signed in, even if an earlier request is answered late', async () => {
    const { gateway, open } = world();
    const { id, key } = await makeKey('reader', ['configs.list', 'keys.list']);
    const page = await open('/configs', { key });
    await who(page).getByText('reader').waitFor();
    await control(gateway, `PUT /api-keys/${id}`, { body: { scopes: ['configs.list'] } });
    const { asked, letGo } = await hold(page, '**/console/session');
    await page.getByRole('link', { name: 'Keys' }).click();
    await asked;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, adminKey);
    await who(page).getByText('admin').waitFor();
    letGo();
    await untilQuiet(page);
    expect(await who(page).textContent()).toBe('admin');
  });

  it('no longer shows data or a form of the earlier user if somebody else signs in in another tab', async () => {
    const { open } = world();
    const { key = '' } = await makeKey('other', ['configs.list', 'keys.list']);
    const page = await open('/keys?new=key');
    await page.getByRole('dialog').getByLabel('Name').fill('of admin');
    const beside = await page.context().newPage();
    await beside.goto(page.url().replace('/keys?new=key', '/configs'));
    await beside.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await signIn(beside, key);
    await who(page).getByText('other').waitFor();
    await untilQuiet(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  });
});
