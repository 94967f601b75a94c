import { describe, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { colourRules, findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { listPages } from './support/list-pages.ts';
import { takeScreenshots } from './support/screenshots.ts';
import { untilLoaded } from './support/until-loaded.ts';

const pages = await listPages();
const listed = pages.filter(({ navigation }) => navigation !== undefined);

describe.skipIf(!hasBrowser)('the console', () => {
  const world = consoleWorld();

  it('signs in with a key, opens the requested address, and signs out', async () => {
    const page = await world().open('/audit?action=create', { key: undefined });
    const key = page.getByLabel('Key', { exact: true });
    await key.waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'sign-in');
    await page.keyboard.type('no-such-key-of-this-gateway');
    await page.keyboard.press('Enter');
    await page.locator('.error-text').waitFor();
    expect(await page.locator('.error-text').innerText()).toMatch(/AB\d\d|key/i);
    expect(await page.locator('.error-text').innerText()).not.toContain('no-such-key');
    await key.fill(adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    expect(page.url()).toMatch(/\/console\/audit\?action=create$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await key.waitFor();
    await page.reload();
    await key.waitFor();
  });

  it('asks for a key again once the session has ended', async () => {
    const page = await world().open('/keys');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // No request that the page sends when it opens ends the session before the click.
    await page.getByRole('table', { name: 'Keys' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    // The page may be gone before the choice becomes visible.
    await page.getByRole('radio', { name: 'Revoked' }).click();
    await page.getByText('Your session has ended').waitFor();
  });

  it.each([
    ['the page of a proxy that asks for a sign-in', 'text/html', '<!DOCTYPE html><title>Sign in</title>'],
    ['a response that is cut off', 'application/json', '{"object":"list","data":['],
  ])('explains %s, in a list and at the sign-in', async (_, contentType, body) => {
    const page = await world().open('/keys');
    await page.getByRole('table', { name: 'Keys' }).waitFor();
    const answer = { status: 200, contentType, body };
    await page.route('**/v1/api-keys?*', (route) => route.fulfill(answer));
    await page.reload();
    const explained = page.getByText('The response is incomplete, or does not come from the gateway.');
    await explained.waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.route('**/console/session', (route) => route.fulfill(answer));
    await page.getByLabel('Key', { exact: true }).fill('any-key');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await explained.waitFor();
  });

  it('offers only what the scopes of the key allow', async () => {
    const { gateway, open } = world();
    const { key = '' } = await control(gateway, 'POST /api-keys', { body: { name: 'reader', scopes: ['keys.list'] } });
    const page = await open('/', { key });
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['Keys']);
    expect(await page.getByRole('button', { name: /^(?:Create|Edit|Rotate|Revoke)/ }).count()).toBe(0);
    await page.goto(`${gateway.origin}/console/audit`);
    await page.getByText('Your key cannot view this page').waitFor();
    await page.getByText('audit_logs.list').first().waitFor();
  });

  it.each(listed.map(({ title, path }) => [title, path]))(
    '%s: has no problems that axe finds, and fits 320 px',
    async (_, path) => {
      const page = await world().open(path);
      await untilLoaded(page);
      await takeScreenshots(page, path.slice(1).replaceAll('/', '-'));
      expect(await findAxeProblems(page), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findAxeProblems(page, colourRules), 'dark').toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
    },
  );

  it('offers less if the scopes of the key are removed while it is open', async () => {
    const { gateway, open } = world();
    const { id, key = '' } = await control(gateway, 'POST /api-keys', {
      body: { name: 'changed', scopes: ['keys.list', 'keys.create', 'audit_logs.list'] },
    });
    const page = await open('/keys', { key });
    await page.getByRole('table', { name: 'Keys' }).waitFor();
    const links = page.getByRole('navigation').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Keys', 'Audit']);
    await control(gateway, `PUT /api-keys/${id}`, { body: { scopes: ['audit_logs.list'] } });
    const list = async () => (await callControl(gateway, 'GET /api-keys', { key })).status;
    await expect.poll(list, patience).toBe(403);
    // The page may be gone before the choice becomes visible.
    await page.getByRole('radio', { name: 'Revoked' }).click();
    await page.getByText('Your key cannot view this page').waitFor();
    await expect.poll(() => links.allInnerTexts(), patience).toEqual(['Audit']);
    await links.first().click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  });

  it('reaches every page by keyboard alone', async () => {
    const page = await world().open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const { title } of listed) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Commands' }).waitFor();
      await page.keyboard.type(`Go to ${title}`);
      await page.keyboard.press('Enter');
      await page.waitForFunction((wanted) => Object(globalThis).document.title.startsWith(`${wanted} ·`), title);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    // And by Tab: the first stop skips the navigation, and each link of the navigation is a stop.
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    const seen = new Set<string>();
    for (let stop = 0; stop < listed.length + 6; stop += 1) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate<string>('document.activeElement.textContent'));
    }
    expect(listed.map(({ title }) => title).filter((title) => !seen.has(title))).toEqual([]);
    await page.getByRole('navigation').getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id'), patience).toBe('content');
  });

  it('keeps the focus in a dialog, closes it by Escape, and returns the focus', async () => {
    const page = await world().open('/keys');
    const opener = page.getByRole('button', { name: 'Create key' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    for (let stop = 0; stop < 30; stop += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === Object(globalThis).document.activeElement)).toBe(true);
  });

  it('finds commands in its palette', async () => {
    const page = await world().open('/audit');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await takeScreenshots(page, 'palette');
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.type('nothing like it');
    await page.getByText('No command matches.').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => Object(globalThis).document.documentElement.dataset.theme === 'dark');
    await page.reload();
    await page.waitForFunction(() => Object(globalThis).document.documentElement.dataset.theme === 'dark');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).waitFor();
    await page.keyboard.type('create key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create key' }).waitFor();
  });

  it('reports an address without a page', async () => {
    const page = await world().open('/no/such/page');
    await page.getByText('Page not found').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
  });
});
