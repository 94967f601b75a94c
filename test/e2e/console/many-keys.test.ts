import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { copyRows } from '../../support/gateways/copy-rows.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

/** More than the console has ever read as a whole. */
const count = 1100;

describe.skipIf(!hasBrowser)('the console of a gateway with very many keys', () => {
  const folder = temporaryFolder({}, (remove) => afterAll(remove));
  /** The ids and the masked texts of some keys. */
  const oldest = { id: '' };
  let twins: readonly { readonly id: string; readonly key: string }[] = [];

  beforeAll(async () => {
    const gateway = await startGateway({
      ...{ folder, args: ['--store', 'gateway.db'] },
      env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    const make = async (name: string): Promise<string> =>
      (await control(gateway, 'POST /api-keys', { body: { name, scopes: [] } })).id ?? '';
    oldest.id = await make('Oldest');
    const pair = [await make('Twin'), await make('Twin')];
    await control(gateway, `DELETE /api-keys/${await make('Revoked')}`);
    twins = await Promise.all(
      pair.map(async (id) => JSON.parse((await callControl(gateway, `GET /api-keys/${id}`)).text)),
    );
    await make('copied');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    copyRows(folder, 'keys', count, 'copied');
  });
  const world = consoleWorld({ start: { folder } });

  /** Opens the form of a budget for the requests of one key. Records the searches that it sends. */
  const openForm = async () => {
    const page = await world().open('/overview');
    const searched: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/v1/api-keys') searched.push(url.searchParams.get('search') ?? '');
    });
    await page.goto(page.url().replace('/overview', '/policies?new=budget'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Budget', { exact: true }).fill('5');
    await dialog.getByLabel('Applies to').selectOption({ label: 'Requests of one key' });
    const field = dialog.getByRole('combobox', { name: 'Key', exact: true });
    const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const offered = () => dialog.locator('datalist option').evaluateAll((all) => all.map((each) => Object(each).value));
    return { page, dialog, field, save, offered, searched };
  };
  const lastBudget = async () =>
    JSON.parse((await callControl(world().gateway, 'GET /policies/usage-limits?page_size=1')).text).data[0];

  it('suggests keys for a policy that contain the typed text, and saves the id of the one that is named', async () => {
    const { page, dialog, field, save, offered, searched } = await openForm();
    await field.pressSequentially('oldE');
    await expect.poll(offered, patience).toEqual(['Oldest']);
    await expect.poll(() => searched.at(-1), patience).toBe('oldE');
    await field.fill('Oldest');
    expect(await findAxeProblems(page)).toEqual([]);
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect((await lastBudget()).conditions).toEqual([{ key: 'api_key', value: oldest.id }]);
  });

  it('refuses a name for a policy that no key has, and that of a revoked key', async () => {
    const { dialog, field, save, offered } = await openForm();
    for (const name of ['Old', oldest.id, 'Revoked', 'none (gw-…none)']) {
      await field.fill(name);
      await save();
      await dialog.getByText('No key has this name.').waitFor();
    }
    expect(await offered()).not.toContain('Revoked');
    await field.fill('  Oldest ');
    await save();
    await dialog.waitFor({ state: 'detached' });
  });

  it('distinguishes keys of the same name for a policy by their masked texts', async () => {
    const { dialog, field, save, offered } = await openForm();
    const [first, second] = twins;
    const texts = [second, first].map((twin) => `Twin (${twin?.key})`);
    await field.fill('twin');
    await expect.poll(offered, patience).toEqual(texts);
    await field.fill('Twin');
    await save();
    await dialog.getByText(`Several keys have this name. Enter one of these: ${texts.join(', ')}`).waitFor();
    await field.fill(texts[1] ?? '');
    await save();
    await dialog.waitFor({ state: 'detached' });
    expect((await lastBudget()).conditions).toEqual([{ key: 'api_key', value: first?.id }]);
  });

  it('shows the name of the oldest key wherever it shows a key, without reading the others', async () => {
    const { gateway, open } = world();
    const { key = '' } = await control(gateway, `POST /api-keys/${oldest.id}/rotate`, { body: {} });
    await control(gateway, `PUT /api-keys/${oldest.id}`, { body: { scopes: ['completions.write'] } });
    await control(gateway, 'POST /configs', { body: { name: 'Named', slug: 'named', config: { provider: 'echo' } } });
    await control(gateway, 'POST /policies/usage-limits', {
      body: {
        ...{ name: 'Of the oldest', type: 'tokens', credit_limit: 20 },
        ...{ conditions: [{ key: 'api_key', value: oldest.id }], group_by: [{ key: 'api_key' }] },
      },
    });
    await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-api-key': key, 'x-gw-provider': 'echo' },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'word '.repeat(18) }] }),
    }).then((answer) => answer.text());
    const logged = async () => JSON.parse((await callControl(gateway, 'GET /logs')).text).data;
    await expect.poll(async () => (await logged()).length, patience).toBe(1);
    const [{ id }] = await logged();

    const page = await open('/live');
    const whole: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/api-keys' && !searchParams.has('ids')) whole.push(request.url());
    });
    const main = page.getByRole('main');
    const go = (path: string) => page.goto(`${gateway.origin}/console${path}`);
    await go('/audit');
    await main.getByRole('cell', { name: 'admin', exact: true }).first().waitFor();
    await go('/configs/named?view=history');
    await main.getByRole('cell', { name: 'admin', exact: true }).waitFor();
    await go(`/requests/${id}`);
    await main.getByText('Oldest', { exact: true }).waitFor();
    await go('/policies');
    const card = main.getByRole('article', { name: 'Of the oldest' });
    await card.getByText('Applies to key Oldest').waitFor();
    await card.getByRole('meter', { name: 'Oldest' }).waitFor();
    await go('/usage?range=day&split=key_id');
    await main.getByRole('listitem').filter({ hasText: 'Oldest' }).first().waitFor();
    expect(whole).toEqual([]);
    await go('/overview');
    await main.getByRole('cell', { name: 'api_key:Oldest' }).waitFor();
  });
});
