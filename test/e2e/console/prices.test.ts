import { describe, expect, it } from 'vitest';
import { adminKey, callControl, chat, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

describe.skipIf(!hasBrowser)('the prices of an integration', () => {
  const used = { input: 1000, output: 1000 };
  const world = consoleWorld({ upstream: (call) => call.json(openaiAnswer({ text: 'Hello!', model: 'house', used })) });

  const save = async (slug: string): Promise<void> => {
    const { gateway, upstream } = world();
    await control(gateway, 'POST /integrations', {
      body: {
        ...{ name: slug, slug, provider: 'openai', credential: { api_key: 'sk-a-key' }, allow_all_models: true },
        settings: { custom_host: `${upstream.origin}/v1` },
        models: [
          {
            ...{ slug: 'other', enabled: true },
            pricing_config: {
              pay_as_you_go: { request_token: { price: 0.0001 }, cache_write_input_token: { price: 0.0002 } },
              multiplier: { default: 2 },
            },
          },
        ],
      },
    });
    await control(gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
    await control(gateway, 'POST /configs', {
      body: { name: slug, slug, config: { provider: `@${slug}`, override_params: { model: 'house' } } },
    });
  };

  const readModels = async (slug: string): Promise<unknown> =>
    JSON.parse((await callControl(world().gateway, `GET /integrations/${slug}/models`)).text);

  it('are shown and changed with the provider, and determine the cost of requests', async () => {
    await save('priced');
    const { gateway, open } = world();
    const page = await open('/providers');
    await page.getByRole('button', { name: 'Prices of priced' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of priced' });
    const rows = dialog.getByRole('row');
    await rows.filter({ hasText: 'other' }).filter({ hasText: '$1.00' }).waitFor();
    await dialog.getByText('also: cache_write_input_token, multiplier').waitFor();

    await dialog.getByRole('button', { name: 'Add model prices' }).click();
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await dialog.getByText('Enter the name of a model.').waitFor();
    await dialog.getByLabel('Model', { exact: true }).fill('house');
    await dialog.getByLabel('Input', { exact: true }).fill('2.5');
    await dialog.getByLabel('Output', { exact: true }).fill('ten');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await dialog.getByText('Enter a number of 0 or more.').waitFor();
    await dialog.getByLabel('Output', { exact: true }).fill('10');
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'prices');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await rows.filter({ hasText: 'house' }).filter({ hasText: '$10.00' }).waitFor();

    await dialog.getByRole('button', { name: 'Edit prices of other' }).click();
    await dialog.getByLabel('Input', { exact: true }).fill('3');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await rows.filter({ hasText: 'other' }).filter({ hasText: '$3.00' }).waitFor();
    expect(await readModels('priced')).toEqual({
      allow_all_models: true,
      models: [
        {
          ...{ slug: 'other', enabled: true },
          pricing_config: {
            pay_as_you_go: { request_token: { price: 0.0003 }, cache_write_input_token: { price: 0.0002 } },
            multiplier: { default: 2 },
          },
        },
        {
          ...{ slug: 'house', enabled: true },
          pricing_config: {
            pay_as_you_go: { request_token: { price: 0.00025 }, response_token: { price: 0.001 } },
          },
        },
      ],
    });
    await (await chat(gateway, { key: adminKey, config: 'priced' })).text();
    const cost = async (): Promise<unknown> =>
      JSON.parse((await callControl(gateway, 'GET /logs?config=priced')).text).data[0]?.cost_nano_usd;
    await expect.poll(cost, patience).toBe(12_500_000);
  });

  it('are all kept if several people save theirs at the same time', async () => {
    await save('shared');
    const { gateway, open } = world();
    const path = `${gateway.baseUrl}/integrations/shared/models`;
    const headers = { 'content-type': 'application/json', 'x-gw-api-key': adminKey };
    const read = await fetch(path, { headers });
    const etag = read.headers.get('etag') ?? '';
    const put = (ifMatch: string): Promise<Response> =>
      fetch(path, { method: 'PUT', headers: { ...headers, 'if-match': ifMatch }, body: '{"models":[]}' });
    expect((await put('"another"')).status).toBe(412);

    const names = ['one', 'two', 'three'];
    const dialogs = await Promise.all(
      names.map(async (name) => {
        const page = await open('/providers');
        await page.getByRole('button', { name: 'Prices of shared' }).click();
        const dialog = page.getByRole('dialog', { name: 'Prices of shared' });
        await dialog.getByRole('button', { name: 'Add model prices' }).click();
        await dialog.getByLabel('Model', { exact: true }).fill(name);
        await dialog.getByLabel('Input', { exact: true }).fill('1');
        return dialog;
      }),
    );
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: 'Save prices' }).click()));
    const saved = async (): Promise<readonly string[]> =>
      ((await readModels('shared')) as { models: { slug: string }[] }).models.map(({ slug }) => slug).toSorted();
    await expect.poll(saved, patience).toEqual(['one', 'other', 'three', 'two']);
    expect((await put(etag)).status).toBe(412);
  });

  it('are not saved if somebody else has changed the same price, unless asked to, and their other prices stay', async () => {
    await save('contested');
    const { gateway, open } = world();
    const page = await open('/providers');
    await page.getByRole('button', { name: 'Prices of contested' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of contested' });
    await dialog.getByRole('button', { name: 'Edit prices of other' }).click();
    await dialog.getByLabel('Input', { exact: true }).fill('3');
    const theirs = (request: number) => ({
      ...{ slug: 'other', enabled: true },
      pricing_config: { pay_as_you_go: { request_token: { price: request }, response_token: { price: 0.001 } } },
    });
    await control(gateway, 'PUT /integrations/contested/models', { body: { models: [theirs(0.0002)] } });
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await dialog.getByText('"input": "2"').waitFor();
    expect(await dialog.getByLabel('Input', { exact: true }).inputValue()).toBe('3');
    await dialog.getByRole('button', { name: 'Overwrite', exact: true }).click();
    await dialog.getByRole('row').filter({ hasText: '$3.00' }).waitFor();
    expect(await readModels('contested')).toMatchObject({ models: [theirs(0.0003)] });
  });

  it('are shown but cannot be changed if the key may only read', async () => {
    await save('shown');
    const { gateway, open } = world();
    const scopes = ['providers.list', 'integrations.read'];
    const { key = '' } = await control(gateway, 'POST /api-keys', {
      body: { name: 'reader', scopes, workspace_id: 'default' },
    });
    const page = await open('/providers', { key });
    await page.getByRole('button', { name: 'Prices of shown' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of shown' });
    await dialog.getByRole('cell', { name: 'other' }).waitFor();
    expect(await dialog.getByRole('button', { name: /Edit prices|Add model prices/ }).count()).toBe(0);
  });
});
