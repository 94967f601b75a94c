import { describe, expect, it } from 'vitest';
import { callControl, chat, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld, hasPostgres } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

const hostile = '<img src=x onerror=alert(1)>\u202egnp';

const stores = (hasPostgres ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)).map((store, storeAt) => ({
  store,
  storeAt,
}));

describe.skipIf(!hasBrowser).each(stores)('access in the console, on $store,', ({ store, storeAt }) => {
  const world = consoleWorld({ store });
  /** Each day, each test runs with one of the stores. */
  const itIsSampled = (at: number) => it.skipIf(stores.length > 1 && !isSampled(storeAt, at, 2));

  itIsSampled(0)('creates, rotates, edits and revokes a key', async () => {
    const { gateway, open } = world();
    const page = await open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByLabel('Name').fill('made in the console');
    await form.getByLabel('Rate limit').fill('5');
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Copy the key now' });
    const key = await shown.locator('pre').first().innerText();
    expect(await findAxeProblems(page)).toEqual([]);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    expect((await chat(gateway, { key })).status).toBe(200);

    const row = page.getByRole('row').filter({ hasText: 'made in the console' });
    await row.getByText('5 requests / minute').waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Rotate made in the console' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
    const next = await shown.locator('pre').first().innerText();
    expect(next).not.toBe(key);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    expect((await chat(gateway, { key: next })).status).toBe(200);

    await row.getByRole('button', { name: 'Edit made in the console' }).click();
    await form.getByLabel('Rate limit').fill('0');
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('0 requests / minute').waitFor();
    await expect.poll(async () => (await chat(gateway, { key: next })).status, patience).toBe(429);

    await row.getByRole('button', { name: 'Revoke made in the console' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(async () => (await chat(gateway, { key: next })).status, patience).toBe(401);
    await takeScreenshots(page, 'keys-used');
  });

  itIsSampled(1)('shows an error from the gateway in the form that caused it', async () => {
    const page = await world().open('/policies?new=budget');
    const form = page.getByRole('dialog');
    await form.getByLabel('Budget').fill('1.00000000001');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('.error-text').waitFor();
    expect(await form.locator('.error-text').innerText()).toContain('/credit_limit');
    expect(await findAxeProblems(page)).toEqual([]);
  });

  itIsSampled(2)('creates a limit, updates its count without a reload, and shows when it is used up', async () => {
    const { gateway, open } = world();
    const { key } = await makeKey(gateway, 'counted');
    const page = await open('/policies');
    await page.getByRole('button', { name: 'Create rate limit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Two a day');
    await form.getByLabel('Applies to').selectOption({ label: 'Requests of one key' });
    await form.getByLabel('Key', { exact: true }).selectOption({ label: 'counted' });
    await form.getByLabel('Limit', { exact: true }).fill('2');
    await form.getByLabel('Per', { exact: true }).selectOption({ label: 'Day' });
    await form.getByRole('button', { name: 'Save' }).click();
    const card = page.getByRole('article', { name: 'Two a day' });
    await card.getByText('Applies to key counted').waitFor();
    expect((await chat(gateway, { key })).status).toBe(200);
    await card.getByText('1 of 2 requests').waitFor();
    await chat(gateway, { key });
    await card.getByText('Used up').waitFor();
    expect((await chat(gateway, { key })).status).toBe(429);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'policies-used');
    await card.getByRole('button', { name: 'Reset the counter of counted' }).click();
    await expect.poll(async () => (await chat(gateway, { key })).status, patience).toBe(200);
    await card.getByRole('button', { name: 'Archive Two a day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive policy' }).click();
    await card.waitFor({ state: 'detached' });
  });

  itIsSampled(3)('lists changes, with the filters in the URL', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /api-keys', { body: { name: 'listed', scopes: ['completions.write'] } });
    const page = await open('/audit');
    const rows = page.getByRole('row').filter({ hasText: '/v1/api-keys' });
    await rows.filter({ hasText: 'admin' }).first().waitFor();
    await page.getByLabel('Action').selectOption({ label: 'Delete' });
    await page.waitForURL(/action=delete/);
    await page.getByLabel('Resource').selectOption({ label: 'prompts' });
    await page.getByText('No changes match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows
      .first()
      .getByRole('button', { name: /^Details/ })
      .click();
    await page.getByRole('dialog').getByText('"operation": "create_key"').waitFor();
  });

  itIsSampled(4)('shows hostile names as text, with their hidden characters', async () => {
    const { gateway, open } = world();
    const { status } = await callControl(gateway, 'POST /api-keys', {
      body: { name: hostile, scopes: ['completions.write'] },
    });
    expect(status).toBe(200);
    const page = await open('/keys');
    const row = page.getByRole('row').filter({ hasText: 'onerror' });
    await row.waitFor();
    expect(await row.innerText()).toContain('U+202E');
    expect(await page.locator('img').count()).toBe(0);
  });
});
