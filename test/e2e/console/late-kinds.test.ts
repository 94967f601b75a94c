import { describe, expect, it } from 'vitest';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

const forms = [
  { path: '/providers', action: 'Add provider', kinds: '**/kinds/providers*', field: 'Service', choice: 'openai' },
  {
    path: '/guardrails',
    action: 'Add guardrail',
    kinds: '**/kinds/checks*',
    field: 'Check',
    choice: 'default.contains',
  },
];

describe.skipIf(!hasBrowser).each(forms)('the form behind "$action"', ({ path, action, kinds, field, choice }) => {
  const world = consoleWorld();

  it('opens once its kinds are loaded, with the focus in its first field', async () => {
    const page = await world().open('/overview');
    const { promise: isAsked, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(kinds, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(page.url().replace('/overview', path));
    await page.getByRole('button', { name: action, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('status').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    letGo();
    await dialog.getByLabel(field).first().waitFor();
    expect(await dialog.locator(`option[value="${choice}"]`).count()).toBeGreaterThan(0);
    expect(await page.evaluate('document.activeElement.closest("dialog .dialog-body") !== null')).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('reports why its kinds could not be loaded, and loads them again', async () => {
    const page = await world().open('/overview');
    let isRefused = true;
    await page.route(kinds, (route) =>
      isRefused ? route.fulfill({ status: 403, json: { error: { message: 'Not now.' } } }) : route.continue(),
    );
    await page.goto(page.url().replace('/overview', path));
    await page.getByRole('button', { name: action, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Not now.').waitFor();
    isRefused = false;
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel(field).first().waitFor();
  });
});
