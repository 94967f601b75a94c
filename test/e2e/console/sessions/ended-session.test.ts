import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { adminKey, control } from '../../../support/gateways/stored-gateway.ts';
import { patience } from '../../../support/run/patience.ts';
import { findAxeProblems } from '../support/axe.ts';
import { hasBrowser } from '../support/browser.ts';
import { consoleWorld } from '../support/console-world.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const signIn = async (page: Page, key: string): Promise<void> => {
  await page.getByText('Your session has ended').waitFor();
  await page.getByLabel('Key', { exact: true }).last().fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Your session has ended').waitFor({ state: 'detached' });
};

describe.skipIf(!hasBrowser)('what is typed in the console when the session ends', () => {
  const world = consoleWorld();

  it('stays in a form, which can be saved after signing in with the same key', async () => {
    const page = await world().open('/policies?new=budget');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Typed before');
    await dialog.getByLabel('Budget', { exact: true }).fill('12');
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your session has ended').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    expect(await page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])')).not.toContain('Typed before');
    // The page stays covered.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await signIn(page, adminKey);
    await dialog.getByText('Your session had ended, so nothing was done.').waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'Typed before' }).waitFor();
  });

  it('is lost if somebody signs in with another key', async () => {
    const { gateway, open } = world();
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'other', scopes: ['keys.list', 'keys.create'], workspace_id: 'default' },
    });
    const page = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('of admin');
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await signIn(page, key);
    await page.locator('.navigation-who').getByText('other').waitFor();
    await untilQuiet(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('stays in the editor of a config, but not in the storage of the browser until then', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /configs', { body: { name: 'Held', slug: 'held', config: { provider: 'echo' } } });
    const page = await open('/configs/held');
    await page.getByText('No problems found.').waitFor();
    const kept = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
    await page.getByRole('textbox', { name: /as JSON$/ }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.context().clearCookies();
    await page.keyboard.insertText('{ "provider": "echo", "request_timeout": 4321 }');
    await page.getByText('Your session has ended').waitFor();
    await expect.poll(kept, patience).not.toContain('4321');
    await signIn(page, adminKey);
    await expect.poll(kept, patience).toContain('4321');
    await page.getByRole('button', { name: 'Review and save…' }).click();
    await page.getByRole('button', { name: 'Save and put in service' }).click();
    await page.getByText('The new version is in service.').first().waitFor();
  });

  it('stays in the playground, which can send it after signing in again', async () => {
    const page = await world().open('/play');
    await page.getByLabel('User 1', { exact: true }).fill('Which way?');
    await page.getByLabel('Model', { exact: true }).fill('echo/any');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await signIn(page, adminKey);
    expect(await page.getByLabel('User 1', { exact: true }).inputValue()).toBe('Which way?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The response is complete.').waitFor();
  });
});
