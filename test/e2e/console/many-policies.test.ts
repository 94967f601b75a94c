import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { control } from '../../support/stored-gateway.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Answers as a list of the control API does. */
const answerPage = (route: Route, all: readonly object[]): Promise<void> => {
  const query = new URL(route.request().url()).searchParams;
  const size = Number(query.get('page_size') ?? 100);
  const from = size * Number(query.get('current_page') ?? 0);
  return route.fulfill({ json: { object: 'list', total: all.length, data: all.slice(from, from + size) } });
};

const budget = (name: string) => ({
  ...{ name, type: 'cost', credit_limit: 10 },
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'metadata.user' }],
});

describe.skipIf(!hasBrowser)('the console, where there is more than a page of', () => {
  const world = consoleWorld();

  it('budgets: shows those that are nearly used up, wherever they stand in the list', async () => {
    const page = await world().open('/audit');
    const policies = range(101).map((at) => ({
      ...{ ...budget(`Budget ${at}`), id: `policy-${at}` },
      value_key_usage_map: { '*': { current_usage: at === 100 ? 9.5 : 0 } },
    }));
    await page.route('**/v1/policies/usage-limits?*', (route) => answerPage(route, policies));
    await page.goto(page.url().replace('/audit', '/overview'));
    await page.getByRole('cell', { name: 'Budget 100' }).waitFor();
  });

  it('counters of a policy: shows those with the most, wherever they stand in the list', async () => {
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
});
