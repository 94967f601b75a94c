import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { copyRows } from '../../support/gateways/copy-rows.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

/** Too many to find one in a list. */
const count = 1010;

/** Returns the suggestions of a text field. */
const readOffered = (field: Locator): Promise<readonly string[]> =>
  field.evaluate((input) => [...Object(input).list.options].map((each) => each.value));

describe.skipIf(!hasBrowser)('the console of a workspace with very many configs', () => {
  const folder = temporaryFolder({}, (remove) => afterAll(remove));
  // One config is saved and copied in the store while no gateway runs.
  beforeAll(async () => {
    const gateway = await startGateway({
      ...{ folder, args: ['--store', 'gateway.db'] },
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    await control(gateway, 'POST /configs', { body: { name: 'oldest', slug: 'oldest', config: { provider: 'echo' } } });
    // The session lists its workspaces by their slugs.
    await control(gateway, 'POST /workspaces', { body: { name: 'The last', slug: 'zz' } });
    await control(gateway, 'POST /workspaces', { body: { name: 'Place', slug: 'place' } });
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    copyRows(folder, 'configs', count);
    copyRows(folder, 'workspaces', count);
  });
  const world = consoleWorld({ start: { folder } });

  it('accepts the name of a config as text if there are too many to choose from', async () => {
    // Lists begin with the newest.
    const last = 'oldest';
    const { gateway, open } = world();
    await control(gateway, `PUT /configs/${last}`, { body: { is_default: true } });
    const page = await open('/overview');
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/configs') read.push(searchParams.get('search') ?? '');
    });
    await page.goto(page.url().replace('/overview', '/plan'));
    const field = page.getByLabel('Config', { exact: true });
    await field.waitFor(patience);
    expect(await field.getAttribute('list')).not.toBeNull();
    expect(await field.inputValue()).toBe(last);
    const offered = () => readOffered(field);
    await field.fill('OLDEST-77');
    await expect.poll(async () => (await offered()).length, patience).toBe(11);
    expect((await offered()).at(-1)).toBe('oldest-77');
    expect(read.sort()).toEqual(['', '', 'OLDEST-77']);
    expect(await field.inputValue()).toBe('OLDEST-77');
    await field.fill('oldest-77');
    await field.press('Enter');
    await page.waitForURL(/config=oldest-77$/, patience);
    expect(await findAxeProblems(page)).toEqual([]);
    await field.fill(last);
    await field.press('Enter');
    await page.waitForURL(new RegExp(`config=${last}`), patience);
    await page.getByText('At most 1').first().waitFor(patience);
    await field.fill('config-none');
    await field.press('Enter');
    await page
      .getByText(/There is no config|not found/i)
      .first()
      .waitFor(patience);

    const playground = await open('/play?config=oldest-1');
    const via = playground.getByRole('combobox', { name: 'Config' });
    await expect.poll(() => via.getAttribute('list'), patience).not.toBeNull();
    await via.fill(last);
    await playground.getByLabel('Model', { exact: true }).fill('any');
    await playground.getByLabel('User 1', { exact: true }).fill('Which way?');
    await playground.getByRole('button', { name: 'Send', exact: true }).click();
    await expect
      .poll(async () => (await callControl(gateway, 'GET /logs?limit=1')).text, patience)
      .toContain(`"config":"${last}"`);

    // The typed text counts before the field is left.
    const [asked] = await Promise.all([
      playground.waitForRequest('**/console/playground?*', patience),
      via.fill('oldest-2').then(() => via.press('Control+Enter')),
    ]);
    expect(asked.headers()['x-gw-config']).toBe('oldest-2');
  });

  it('accepts the name of a workspace as text, also of one that the session does not list', async () => {
    const page = await world().open('/configs');
    const field = page.getByRole('combobox', { name: 'Workspace', exact: true });
    await field.waitFor(patience);
    await page.getByRole('cell', { name: 'oldest-1010', exact: true }).first().waitFor(patience);
    await field.fill('the L');
    await expect.poll(() => readOffered(field), patience).toEqual(['zz']);
    await field.fill('The last');
    const [asked] = await Promise.all([page.waitForRequest('**/v1/configs?*', patience), field.press('Enter')]);
    expect(asked.headers()['x-gw-workspace']).toBe('zz');
    await page.getByText('No configs yet').first().waitFor(patience);
    await field.fill('No such place');
    await field.press('Enter');
    await page.getByText('No workspace has this name.').waitFor(patience);
    expect(await findAxeProblems(page)).toEqual([]);
    await field.fill('');
    await field.press('Enter');
    await page.getByRole('cell', { name: 'oldest-1010', exact: true }).first().waitFor(patience);
  });

  it('explains why a text of two megabytes is not a config, and saves the next one', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /configs', { body: { name: 'Text', slug: 'text', config: { provider: 'echo' } } });
    const targets = Array.from({ length: 20_000 }, (_, at) => ({
      ...{ name: `target-${at}`, provider: 'openai', api_key: 'sk-of-this-test' },
      override_params: { model: 'gpt-5' },
    }));
    const text = JSON.stringify({ strategy: { mode: 'fallback' }, targets });
    expect(text.length).toBeGreaterThan(2e6);
    const page = await open('/configs/text');
    const editor = page.getByRole('textbox', { name: /as JSON$/ });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
    await page.getByText('There are 20000 targets here; at most 1000 are allowed.').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "provider": "echo", "retry": { "attempts": 2 } }');
    await page.getByRole('button', { name: 'Review and save…' }).click();
    await page.getByRole('button', { name: 'Save and put in service' }).click();
    await page.getByText('The new version is in service.').first().waitFor();
  });
});
