import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

interface Case {
  readonly path: string;
  /** The path of its records in the API, and that of the request that creates one. */
  readonly api: string;
  readonly create?: string;
  readonly body: object;
  /** What somebody else changes while the form is open. */
  readonly change: object;
}

const contains = (word: string) => [{ id: 'default.contains', parameters: { operator: 'any', words: [word] } }];

const cases: readonly Case[] = [
  {
    ...{ path: '/keys', api: '/api-keys', create: '/api-keys/workspace/service' },
    body: { scopes: ['configs.list', 'keys.list'], workspace_id: 'default' },
    change: { scopes: ['configs.list'] },
  },
  {
    ...{ path: '/policies', api: '/policies/usage-limits' },
    body: {
      conditions: [{ key: 'workspace_id', value: '*' }],
      group_by: [{ key: 'api_key' }],
      type: 'cost',
      credit_limit: 5,
    },
    change: { credit_limit: 9 },
  },
  {
    ...{ path: '/policies', api: '/policies/rate-limits' },
    body: {
      conditions: [{ key: 'workspace_id', value: '*' }],
      group_by: [{ key: 'api_key' }],
      ...{ type: 'requests', unit: 'rpm', value: 5 },
    },
    change: { value: 9 },
  },
  {
    ...{ path: '/guardrails', api: '/guardrails' },
    body: { checks: contains('one'), actions: {} },
    change: { checks: contains('two') },
  },
  {
    ...{ path: '/providers', api: '/providers' },
    body: { provider: 'openai', credential: { api_key: 'sk-of-this-test' } },
    change: { note: 'Ask Ann first.' },
  },
];

/** Removes the tags of responses, as some proxies do. */
const removeTags = async (page: Page): Promise<void> => {
  await page.route('**/v1/**', async (route) => {
    const response = await route.fetch();
    const { etag, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
};

/** The names of the records of the tests, which must differ from each other. */
let created = 0;

describe.skipIf(!hasBrowser)('a form of the console', () => {
  const world = consoleWorld();

  /** Creates a record and opens the form that edits it. Returns the path of the record in the API. */
  const edit = async (
    { path, api, create = api, body }: Omit<Case, 'change'>,
    prepare: (page: Page) => Promise<void> = async () => {},
  ) => {
    const { gateway, open } = world();
    created += 1;
    const name = `Shared ${created}`;
    const { id, data } = await control(gateway, `POST ${create}`, { body: { ...body, name } });
    const record = `${api}/${data?.slug ?? (await control(gateway, `GET ${api}/${id}`)).slug ?? id}`;
    const page = await open(path);
    await prepare(page);
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    const read = async () => JSON.parse((await callControl(gateway, `GET ${record}`)).text);
    const change = (changes: object) => control(gateway, `PUT ${record}`, { body: changes });
    return { page, dialog, change, read };
  };

  it.each(cases)(
    'at $path, of $api, changes only what was edited in it, so that what somebody else has changed meanwhile stays',
    async ({ change, ...created }) => {
      const { dialog, change: changeRecord, read } = await edit(created);
      await dialog.getByLabel('Name', { exact: true }).fill('Renamed');
      await changeRecord(change);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await read()).toMatchObject({ ...change, name: 'Renamed' });
    },
  );

  it.each(cases)(
    'at $path, of $api, saves nothing if somebody else has changed the same field, and overwrites it only if asked to',
    async (shared) => {
      const { page, dialog, change, read } = await edit(shared);
      const name = dialog.getByLabel('Name', { exact: true });
      const overwrite = dialog.getByRole('button', { name: 'Overwrite', exact: true });
      await name.fill('Mine');
      await change({ name: 'Theirs' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('Somebody else has changed this in the meantime, and nothing was saved').waitFor();
      await dialog.getByText('"name": "Theirs"').waitFor();
      expect(await name.inputValue()).toBe('Mine');
      expect((await read()).name).toBe('Theirs');
      expect(await findAxeProblems(page)).toEqual([]);

      await change({ name: 'Newest' });
      await overwrite.click();
      await dialog.getByText('"name": "Newest"').waitFor();
      expect((await read()).name).toBe('Newest');

      await overwrite.click();
      await dialog.waitFor({ state: 'detached' });
      expect((await read()).name).toBe('Mine');
    },
  );

  it('at /providers does not overwrite a credential that somebody else may have changed, which it cannot see', async () => {
    const body = { provider: 'openai', credential: { api_key: 'sk-of-this-test' } };
    const { dialog, change } = await edit({ path: '/providers', api: '/providers', body });
    await dialog.getByLabel('api_key').fill('sk-mine');
    await change({ credential: { api_key: 'sk-theirs' } });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('"api_key": "gw-sealed:').waitFor();
    await dialog.getByRole('button', { name: 'Overwrite', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it.each(cases)(
    'at $path, of $api, overwrites the change of somebody else only if asked to, also if a proxy removes the tags',
    async (shared) => {
      const { dialog, change, read } = await edit(shared, removeTags);
      await dialog.getByLabel('Name', { exact: true }).fill('Mine');
      await change({ name: 'Theirs' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('"name": "Theirs"').waitFor();
      expect((await read()).name).toBe('Theirs');
      await dialog.getByRole('button', { name: 'Overwrite', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await read()).name).toBe('Mine');
    },
  );

  it('for a config overwrites the version of somebody else only if asked to, also if a proxy removes the tags', async () => {
    const { gateway, open } = world();
    const path = '/configs/untagged';
    const config = (attempts: number) => ({ provider: 'echo', retry: { attempts } });
    const read = async () => JSON.parse((await callControl(gateway, `GET ${path}`)).text);
    await control(gateway, 'POST /configs', { body: { name: 'Untagged', slug: 'untagged', config: config(1) } });
    const page = await open('/audit');
    await removeTags(page);
    await page.goto(page.url().replace('/audit', path));
    const editor = page.getByRole('textbox', { name: /as JSON$/ });
    const save = async (attempts: number) => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(JSON.stringify(config(attempts)));
      await page.getByRole('button', { name: 'Review and save…', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save and put in service', exact: true }).click();
    };
    await save(2);
    await expect.poll(async () => (await read()).config, patience).toEqual(config(2));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await control(gateway, `PUT ${path}`, { body: { config: config(3) } });
    await save(4);
    await page
      .getByRole('dialog')
      .getByText(/"attempts": 3/)
      .waitFor();
    expect((await read()).config).toEqual(config(3));
  });

  it('accepts tags that a proxy has marked as weak', async () => {
    const [shared] = cases;
    if (shared === undefined) throw new Error('There are cases.');
    const { path, api, create = api, body } = shared;
    const { gateway, open } = world();
    await control(gateway, `POST ${create}`, { body: { ...body, name: 'Behind a proxy' } });
    const page = await open('/audit');
    await page.route(`**/v1${api}/*`, async (route) => {
      const response = await route.fetch();
      const { etag = '', ...headers } = response.headers();
      await route.fulfill({ response, headers: { ...headers, etag: `W/${etag}` } });
    });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.headers()['if-match'] ?? '');
    });
    await page.goto(page.url().replace('/audit', path));
    await page.getByRole('button', { name: 'Edit Behind a proxy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Renamed');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(sent).toEqual([expect.stringMatching(/^"\w+"$/)]);
  });
});
