import { describe, expect, it } from 'vitest';
import { callControl, control } from '../../support/gateways/stored-gateway.ts';
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

describe.skipIf(!hasBrowser)('a form of the console', () => {
  const world = consoleWorld();

  it.each(cases)(
    'at $path changes only what was edited in it, so that what somebody else has changed meanwhile stays',
    async ({ path, api, create = api, body, change }) => {
      const { gateway, open } = world();
      const { id, data } = await control(gateway, `POST ${create}`, { body: { ...body, name: 'Shared' } });
      const record = `${api}/${data?.slug ?? (await control(gateway, `GET ${api}/${id}`)).slug ?? id}`;
      const page = await open(path);
      await page.getByRole('button', { name: 'Edit Shared' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Renamed');
      await control(gateway, `PUT ${record}`, { body: change });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const { text } = await callControl(gateway, `GET ${record}`);
      expect(JSON.parse(text)).toMatchObject({ ...change, name: 'Renamed' });
    },
  );
});
