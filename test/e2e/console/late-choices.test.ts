import { describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { hold } from './support/hold.ts';

describe.skipIf(!hasBrowser)('a field with choices that load late', () => {
  const world = consoleWorld();

  it('for the key of a policy: is not shown until then, and then offers the keys by name', async () => {
    const page = await world().open('/overview');
    const { asked, letGo } = await hold(page, '**/v1/api-keys?*');
    await page.goto(page.url().replace('/overview', '/policies?new=budget'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Applies to').selectOption({ label: 'Requests of one key' });
    await asked;
    await dialog.getByRole('status').waitFor();
    expect(await dialog.getByLabel('Key', { exact: true }).count()).toBe(0);
    letGo();
    await dialog.getByLabel('Key', { exact: true }).selectOption({ label: 'admin' });
  });

  it('for the config of the playground: does not report that there are none, and sends nothing until then', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /configs', { body: { name: 'one', slug: 'one', config: { provider: 'echo' } } });
    const page = await open('/overview');
    const { asked, letGo } = await hold(page, '**/v1/configs?*');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/console/playground')) sent.push(request.headers()['x-gw-config'] ?? '');
    });
    await page.goto(page.url().replace('/overview', '/play'));
    await asked;
    await page.getByRole('radio', { name: 'Config', exact: true }).check();
    expect(await page.getByText('No configs yet.').count()).toBe(0);
    await page.getByLabel('User 1', { exact: true }).fill('Which way?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Choose a config.').waitFor();
    expect(sent).toEqual([]);
    letGo();
    await page.getByRole('combobox', { name: 'Config', exact: true }).selectOption('one');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The response is complete.').waitFor();
    expect(sent).toEqual(['one']);
  });

  it('for the config of the playground: reports why they could not be loaded, and loads them again', async () => {
    const page = await world().open('/overview');
    let isRefused = true;
    await page.route('**/v1/configs?*', (route) =>
      isRefused ? route.fulfill({ status: 403, json: { error: { message: 'Not now.' } } }) : route.continue(),
    );
    await page.goto(page.url().replace('/overview', '/play?config=one'));
    await page.getByText('Not now.').waitFor();
    isRefused = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Not now.').waitFor({ state: 'detached' });
  });
});
