import { describe, expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

interface Case {
  readonly path: string;
  /** The path of its records in the API. */
  readonly api: string;
  readonly body: object;
  /** The button that deletes a record, and the one that confirms it. */
  readonly remove: readonly [button: string, confirm: string];
}

const limited = { conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'api_key' }] };

const cases: readonly Case[] = [
  {
    ...{ path: '/guardrails', api: '/guardrails', remove: ['Delete', 'Delete'] },
    body: { checks: [{ id: 'default.contains', parameters: { operator: 'any', words: ['a'] } }], actions: {} },
  },
  {
    ...{ path: '/providers', api: '/providers', remove: ['Delete', 'Delete'] },
    body: { provider: 'openai', credential: { api_key: 'sk-of-this-test' } },
  },
  {
    ...{ path: '/policies', api: '/policies/usage-limits', remove: ['Archive', 'Archive policy'] },
    body: { ...limited, type: 'cost', credit_limit: 5 },
  },
  {
    ...{ path: '/policies', api: '/policies/rate-limits', remove: ['Archive', 'Archive policy'] },
    body: { ...limited, type: 'requests', unit: 'rpm', value: 5 },
  },
];

/** The names of the records of the tests, which must differ from each other. */
let created = 0;

describe.skipIf(!hasBrowser)('a row of the console that somebody else has deleted', () => {
  const world = consoleWorld();

  /** Opens the list with a record that is deleted afterwards. */
  const openList = async ({ path, api, body }: Case) => {
    const { gateway, open } = world();
    created += 1;
    const name = `Gone ${created}`;
    const { id, slug, data } = await control(gateway, `POST ${api}`, { body: { ...body, name } });
    const page = await open(path);
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).waitFor();
    await control(gateway, `DELETE ${api}/${slug ?? data?.slug ?? id}`);
    const button = (action: string) => page.getByRole('button', { name: `${action} ${name}`, exact: true });
    return { page, dialog: page.getByRole('dialog'), name, button };
  };

  it.each(cases)('at $path, of $api, cannot be edited, and disappears', async (each) => {
    const { page, dialog, button } = await openList(each);
    await button('Edit').click();
    await dialog.getByText('Somebody else has deleted this in the meantime.').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button('Edit').waitFor({ state: 'detached' });
  });

  it.each(cases)('at $path, of $api, disappears if it is deleted again', async (each) => {
    const { dialog, name, page, button } = await openList(each);
    const [remove, confirm] = each.remove;
    await button(remove).click();
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(new RegExp(`^${name} was (?:deleted|archived)\\.$`)).waitFor();
    await button('Edit').waitFor({ state: 'detached' });
  });

  it('is a key that cannot be rotated any more, for the reason that the dialog shows', async () => {
    const { gateway, open } = world();
    const { id } = await control(gateway, 'POST /api-keys', { body: { name: 'Revoked', scopes: [] } });
    const page = await open('/keys');
    const rotate = page.getByRole('button', { name: 'Rotate Revoked' });
    await rotate.waitFor();
    await control(gateway, `DELETE /api-keys/${id}`);
    await rotate.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.getByText('This key was revoked').first().waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
  });
});
