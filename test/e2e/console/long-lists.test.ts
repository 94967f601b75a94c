import type { Route } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { holdsFocus } from './support/focus.ts';
import { hold } from './support/hold.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Answers like a list of the control API. */
const answerPage = (route: Route, all: readonly { readonly id: string }[]): Promise<void> => {
  const query = new URL(route.request().url()).searchParams;
  const size = Number(query.get('page_size') ?? 100);
  const after = query.get('after');
  const from =
    after === null ? size * Number(query.get('current_page') ?? 0) : all.findIndex(({ id }) => id === after) + 1;
  return route.fulfill({ json: { object: 'list', total: all.length, data: all.slice(from, from + size) } });
};

const budget = (name: string) => ({
  ...{ name, type: 'cost', credit_limit: 10 },
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'metadata.user' }],
});

describe.skipIf(!hasBrowser)('the console, with more than a page of', () => {
  const world = consoleWorld();

  it('budgets, shows those that are nearly used up, wherever they are in the list', async () => {
    const page = await world().open('/audit');
    const policies = range(101).map((at) => ({
      ...{ ...budget(`Budget ${at}`), id: `policy-${at}` },
      value_key_usage_map: { '*': { current_usage: at === 100 ? 9.5 : 0 } },
    }));
    await page.route('**/v1/policies/usage-limits?*', (route) => answerPage(route, policies));
    await page.goto(page.url().replace('/audit', '/overview'));
    await page.getByRole('cell', { name: 'Budget 100' }).waitFor();
  });

  it('budgets, of which it cannot compare all, says so', async () => {
    const page = await world().open('/audit');
    const policies = range(1001).map((at) => ({ ...budget(`Budget ${at}`), id: `policy-${at}` }));
    await page.route('**/v1/policies/usage-limits?*', (route) => answerPage(route, policies));
    await page.goto(page.url().replace('/audit', '/overview'));
    await page.getByText('Only the newest 1,000 of 1,001 budgets were compared.').waitFor();
  });

  it('counters of a policy, shows those with the highest usage, wherever they are in the list', async () => {
    await control(world().gateway, 'POST /policies/usage-limits', { body: budget('Users') });
    const page = await world().open('/audit');
    const counters = range(120).map((at) => ({ id: `${at}`, value_key: `user ${at}`, current_usage: at / 20 }));
    await page.route('**/entities?*', (route) => answerPage(route, counters));
    await page.goto(page.url().replace('/audit', '/policies'));
    const list = page.getByRole('list', { name: 'Counters of Users' });
    await list.getByText('user 119').waitFor();
    expect(await list.getByText('user 99').count()).toBe(0);
    await page.getByText('And 110 more.').waitFor();
  });

  it('counters of which one is added while they are read, shows each of them once', async () => {
    await control(world().gateway, 'POST /policies/usage-limits', { body: budget('Growing') });
    const page = await world().open('/audit');
    const counters = range(101).map((at) => ({ id: `${at}`, value_key: `user ${at}`, current_usage: at / 20 }));
    await page.route('**/entities?*', async (route) => {
      await answerPage(route, counters);
      if (counters.length === 101) counters.unshift({ id: 'new', value_key: 'user new', current_usage: 0 });
    });
    await page.goto(page.url().replace('/audit', '/policies'));
    const list = page.getByRole('list', { name: 'Counters of Growing' });
    await list.getByText('user 100').waitFor();
    expect(await list.getByText('user 99').count()).toBe(1);
  });

  it('counters that take seconds to load, still shows them', async () => {
    const { gateway, browser } = world();
    await control(gateway, 'POST /policies/usage-limits', { body: budget('Slow') });
    // Only this test uses the page's simulated clock.
    const context = await browser.newContext({ locale: 'en-GB' });
    onTestFinished(() => context.close());
    const { origin } = gateway;
    const headers = { origin, 'x-gw-console': '1' };
    await context.request.post(`${origin}/console/session`, { data: { key: adminKey }, headers });
    const page = await context.newPage();
    await page.clock.install();
    const asked: Route[] = [];
    await page.route('**/entities?*', (route) => void asked.push(route));
    await page.goto(`${origin}/console/policies`);
    await expect.poll(() => asked.length, patience).toBeGreaterThan(0);
    const first = asked.splice(0);
    await page.clock.runFor(7000);
    const counters = [{ id: '1', value_key: 'user 1', current_usage: 1 }];
    for (const route of first) await answerPage(route, counters).catch(() => undefined);
    await page.getByRole('list', { name: 'Counters of Slow' }).getByText('user 1').waitFor();
  });

  it('rows of a list, shows the last page once the shown page has become empty', async () => {
    const { gateway, open } = world();
    const checks = [{ id: 'default.contains', parameters: { operator: 'any', words: ['a'] } }];
    for (let at = 0; at <= 50; at += 1)
      await control(gateway, 'POST /guardrails', { body: { name: `Number ${at}`, checks, actions: {} } });
    const page = await open('/guardrails');
    await page.getByText('1–50 of 51', { exact: true }).waitFor();
    const { asked, letGo } = await hold(page, '**/v1/guardrails?*');
    await page.getByRole('button', { name: 'Next' }).click();
    await asked;
    // The rows of the first page stay until those of the second arrive.
    expect(await page.getByText('1–50 of 51', { exact: true }).count()).toBe(1);
    letGo();
    await page.getByText('51–51 of 51').waitFor();
    const query = (): string => new URL(page.url()).search;
    expect(query()).toBe('?page=2');
    await page.goBack();
    await page.getByText('1–50 of 51', { exact: true }).waitFor();
    await page.goForward();
    await page.getByText('51–51 of 51').waitFor();
    await page.goto(page.url().replace('page=2', 'page=99'));
    await page.getByText('51–51 of 51').waitFor();
    expect(query()).toBe('?page=2');
    await page.getByRole('button', { name: /^Delete Number/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('row').nth(50).waitFor();
    expect(query()).toBe('');
    expect(await page.getByRole('button', { name: /^Delete Number/ }).count()).toBe(50);
  });

  it('rows of a list, keeps the focus at the button that turns its pages, also at the last one', async () => {
    const page = await world().open('/overview');
    const rows = range(1001).map((at) => ({
      ...{ id: `row-${at}`, name: `Row ${at}`, slug: `row-${at}`, workspace_id: null, last_updated_at: at },
    }));
    await page.route('**/v1/guardrails?*', (route) => answerPage(route, rows));
    await page.goto(page.url().replace('/overview', '/guardrails'));
    await page.getByText('1–50 of 1,001', { exact: true }).waitFor();
    const next = page.getByRole('button', { name: 'Next' });
    const previous = page.getByRole('button', { name: 'Previous' });
    await next.focus();
    for (const at of range(20)) {
      await page.keyboard.press('Enter');
      const to = Math.min(1001, 50 * (at + 2)).toLocaleString('en-GB');
      await page.getByText(`${(50 * (at + 1) + 1).toLocaleString('en-GB')}–${to} of 1,001`, { exact: true }).waitFor();
    }
    expect([await next.isDisabled(), await next.evaluate(holdsFocus)]).toEqual([true, true]);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    expect(await previous.evaluate(holdsFocus)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('951–1,000 of 1,001', { exact: true }).waitFor();
  });

  it('a screen of providers, reads the last requests of those that are in sight', async () => {
    const { gateway, open } = world();
    for (const at of range(50))
      await control(gateway, 'POST /providers', { body: { name: `P ${at}`, slug: `p-${at}`, provider: 'echo' } });
    const page = await open('/audit');
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/logs') read.push(searchParams.get('slug') ?? '');
    });
    await page.goto(page.url().replace('/audit', '/providers'));
    const row = (slug: string) => page.getByRole('row').filter({ has: page.getByText(`@${slug}`, { exact: true }) });
    await row('p-49').getByText('Not used yet', { exact: true }).waitFor();
    expect(read).toContain('p-49');
    expect(read).not.toContain('p-0');
    await row('p-0').scrollIntoViewIfNeeded();
    await row('p-0').getByText('Not used yet', { exact: true }).waitFor();
  });

  it('versions of a config, names the range of the shown versions until the others have arrived', async () => {
    const { gateway, open } = world();
    const body = (attempts: number) => ({ config: { provider: 'echo', retry: { attempts } } });
    await control(gateway, 'POST /configs', { body: { ...body(1), name: 'Often', slug: 'often' } });
    for (const at of range(20)) await control(gateway, 'PUT /configs/often', { body: body(1 + ((at + 1) % 2)) });
    const page = await open('/configs/often?view=history');
    await page.getByText('1–20 of 21', { exact: true }).waitFor();
    const { asked, letGo } = await hold(page, '**/v1/configs/often/versions?*');
    await page.getByRole('button', { name: 'Next' }).click();
    await asked;
    expect(await page.getByText('1–20 of 21', { exact: true }).count()).toBe(1);
    letGo();
    await page.getByText('21–21 of 21', { exact: true }).waitFor();
  });
});
