import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scopes } from '../../../plugins/control/kernel/requests/scopes.ts';
import { callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { firstOfKind } from './support/first-of-kind.ts';
import { listPages } from './support/list-pages.ts';
import { untilLoaded } from './support/until-loaded.ts';
import { untilQuiet } from './support/until-quiet.ts';

const pages = await listPages();
/** The scopes that open a page by themselves, and a sample of the others, which open none. */
const tried = scopes.filter(
  (scope, at) => pages.some((page) => page.scopes.every((needed) => needed === scope)) || isSampled(at, 0, 10),
);

/** Opens an address as a link of the console does. */
const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `(() => { history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate')); })()`,
  );

/** Collects the requests that the gateway refuses because a scope is missing. The console should not have sent them. */
const watchRefusals = (page: Page): string[] => {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return refused;
};

describe.skipIf(!hasBrowser)('a key with few scopes', () => {
  const world = consoleWorld();
  let request: string | undefined;

  const fill = async (): Promise<string> => {
    if (request !== undefined) return request;
    const { gateway } = world();
    const post = (path: string, body: object) => control(gateway, `POST ${path}`, { body });
    await post('/providers', { name: 'One', slug: 'one', provider: 'echo' });
    await post('/configs', { name: 'One', slug: 'one', config: { provider: '@one' } });
    await post('/guardrails', {
      ...{ name: 'One', slug: 'one' },
      checks: [{ id: 'default.contains', parameters: { words: ['a'], operator: 'none' } }],
    });
    const group_by = [{ key: 'metadata._user' }];
    const conditions = [{ key: 'model', value: 'm' }];
    await post('/policies/usage-limits', { name: 'One', type: 'cost', credit_limit: 1, conditions, group_by });
    await post('/logs', { request: { url: '/x', body: { model: 'm' } }, response: { body: {} } });
    const ids = async () =>
      (JSON.parse((await callControl(gateway, 'GET /logs')).text).data as { id: string }[]).map(({ id }) => id);
    await expect.poll(async () => (await ids()).length, patience).toBe(1);
    [request] = await ids();
    return request ?? '';
  };

  const makeKey = async (given: readonly string[]): Promise<string> => {
    const { key = '' } = await control(world().gateway, 'POST /api-keys', {
      body: { name: given.join(' ').slice(0, 100), scopes: given, workspace_id: 'default' },
    });
    return key;
  };

  const toAddress = (path: string, id: string): string => path.replace(':slug', 'one').replace(':id', id);

  // Only a seventh of the pages that a scope does not open are tried with it.
  it('with any one scope sees a page or its refusal, without errors or forbidden requests', async () => {
    const id = await fill();
    const wrong: string[] = [];
    const { open, reopen } = world();
    const page = await open('/', { key: undefined });
    const refused = watchRefusals(page);
    for (const [scopeAt, scope] of tried.entries()) {
      await reopen(page, '/', await makeKey([scope]));
      await page.getByRole('heading', { level: 1 }).waitFor();
      const offered = await page.getByRole('navigation').getByRole('link').allInnerTexts();
      const allowed = pages.filter((each) => each.scopes.every((needed) => needed === scope));
      const listed = allowed.filter(({ navigation }) => navigation !== undefined).map(({ title }) => title);
      if (JSON.stringify(offered.toSorted()) !== JSON.stringify(listed.toSorted()))
        wrong.push(`${scope} is offered ${offered}`);
      for (const [pageAt, { path, title }] of pages.entries()) {
        const isForbidden = !allowed.some((each) => each.path === path);
        if (isForbidden && !isSampled(scopeAt, pageAt, 7)) continue;
        await goTo(page, toAddress(path, id));
        const forbidden = page.getByText('Your key cannot view this page');
        if (isForbidden) await forbidden.waitFor();
        else {
          await forbidden.waitFor({ state: 'detached' });
          await page.getByRole('heading', { level: 1 }).waitFor();
          await untilQuiet(page);
          if ((await page.getByText('Something on this page failed').count()) > 0)
            wrong.push(`${scope}: ${title} fails`);
        }
      }
      wrong.push(...refused.splice(0).map((each) => `${scope} asks ${each}`));
    }
    expect(wrong).toEqual([]);
  }, 600_000);

  it.each(pages.map(({ path, scopes: own }, pageAt) => [path, own, pageAt] as const))(
    '%s: offers nothing that is refused with only the scopes of the page',
    async (path, own, pageAt) => {
      const id = await fill();
      const page = await world().open(toAddress(path, id), { key: await makeKey(own) });
      const refused = watchRefusals(page);
      await untilLoaded(page);
      const controls = page
        .getByRole('main')
        .locator('button, a[href], [role=tab], input[type=radio], summary')
        .and(page.locator(firstOfKind));
      const count = Math.min(await controls.count(), 40);
      for (let at = 0; at < count; at += 1) {
        if (!isSampled(pageAt, at, 2)) continue;
        const control = controls.nth(at);
        if (!(await control.isVisible().catch(() => false)) || !(await control.isEnabled().catch(() => false)))
          continue;
        await control.click({ timeout: 2000 }).catch(() => undefined);
        await untilQuiet(page);
        await page.keyboard.press('Escape');
        if (!page.url().endsWith(toAddress(path, id))) {
          await goTo(page, toAddress(path, id));
          await untilQuiet(page);
        }
      }
      expect(refused).toEqual([]);
    },
    120_000,
  );

  const fillText = async (page: Page, label: string, text: string): Promise<void> => {
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text);
  };
  interface Form {
    readonly path: string;
    /** The scopes that the form needs in addition to those of the page. */
    readonly needs: readonly string[];
    readonly button: string;
    readonly submit: string;
    readonly fill?: (page: Page) => Promise<void>;
    /** Waits until the form is saved, if its dialog does not only close. */
    readonly done?: (page: Page) => Promise<void>;
  }
  const forms: readonly Form[] = [
    {
      ...{ path: '/keys', needs: ['keys.create'], button: 'Create key', submit: 'Create key' },
      fill: async (page) => {
        await fillText(page, 'Name', 'Made');
        await page.getByRole('dialog').getByLabel('Permissions', { exact: true }).selectOption({ index: 1 });
      },
      done: async (page) => {
        await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor();
      },
    },
    { ...{ path: '/keys', needs: ['keys.update', 'keys.read'], button: 'Edit Kept', submit: 'Save' } },
    {
      ...{ path: '/policies', needs: ['policies.create'], button: 'Create budget', submit: 'Save' },
      fill: (page) => fillText(page, 'Budget', '5'),
    },
    {
      ...{ path: '/policies', needs: ['policies.create'], button: 'Create rate limit', submit: 'Save' },
      fill: (page) => fillText(page, 'Limit', '5'),
    },
    { ...{ path: '/policies', needs: ['policies.update', 'policies.read'], button: 'Edit One', submit: 'Save' } },
  ];

  it.each(forms.map((form) => [`${form.path} by ${form.needs}: ${form.button}`, form] as const))(
    '%s: saves with only the scopes of the page and of the form',
    async (_, { path, needs, button, submit, fill: write, done }) => {
      await fill();
      const { gateway, open } = world();
      const name = 'Kept';
      const { data: kept } = JSON.parse((await callControl(gateway, 'GET /api-keys')).text);
      if (!kept.some((each: { readonly name: string }) => each.name === name))
        await control(gateway, 'POST /api-keys', { body: { name, scopes: ['keys.list'], workspace_id: 'default' } });
      const own = pages.find((page) => page.path === path)?.scopes ?? [];
      const page = await open(path, { key: await makeKey([...own, ...needs]) });
      const refused = watchRefusals(page);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      await write?.(page);
      await dialog.getByRole('button', { name: submit, exact: true }).click();
      await (done?.(page) ?? dialog.waitFor({ state: 'detached' }));
      await untilQuiet(page);
      expect(refused).toEqual([]);
    },
  );

  it.each(['keys', 'policies', 'providers', 'guardrails'])(
    'at /%s: cannot edit what it cannot read, because it would overwrite changes of others, and learns why',
    async (resource) => {
      await fill();
      const path = `/${resource}`;
      const own = pages.find((page) => page.path === path)?.scopes ?? [];
      const page = await world().open(path, { key: await makeKey([...own, `${resource}.update`]) });
      await page.getByText(`that also needs the scope ${resource}.read`).waitFor();
      await untilLoaded(page);
      expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
      await world().reopen(page, path, await makeKey([...own, `${resource}.update`, `${resource}.read`]));
      await page.getByRole('button', { name: /^Edit/ }).first().waitFor();
      expect(await page.getByText('that also needs the scope').count()).toBe(0);
    },
  );
});
