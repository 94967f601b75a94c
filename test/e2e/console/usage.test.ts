import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { adminKey, chat, saveChat } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { read } from '../logs/support/logged.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

describe.skipIf(!hasBrowser)('the usage pages', () => {
  const world = consoleWorld();

  it('suggest the next step on an empty gateway', async () => {
    const page = await world().open('');
    await page.getByText('gw keys create').waitFor();
    expect(await page.getByText('gw providers create').count()).toBe(1);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'overview-empty');
    await page.goto(`${world().gateway.origin}/console/usage`);
    await page.getByText('No requests in this time range').waitFor();
  });

  it('show the figures of the control API, as charts, tables, CSV and calls', async () => {
    const { gateway, upstream, open } = world();
    const config = await saveChat(gateway, { upstream, slug: 'used', credential: 'a-credential' });
    for (let at = 0; at < 3; at += 1) await chat(gateway, { key: adminKey, config });
    await chat(gateway, { key: adminKey, config: 'no-such-config' });
    const hour = Math.floor(Date.now() / 3_600_000) * 3600;
    const range = `time_min=${hour - 82_800}&time_max=${hour + 3600}&step=hour`;
    const graph = async (name: string) => (await read(gateway, `/analytics/graphs/${name}?${range}`)).body;
    await expect.poll(async () => (await graph('requests')).summary.total).toBeGreaterThanOrEqual(3);
    const requests = await graph('requests');

    const page = await open('/usage?range=24h&compare=1');
    const sum = page.locator('[data-graph="requests"] strong');
    await sum.waitFor();
    expect(await sum.textContent()).toBe(String(requests.summary.total));
    expect(await page.locator('canvas').count()).toBe(8);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'usage');

    await page.getByRole('button', { name: 'Requests as a table' }).click();
    const cells = page.getByRole('table', { name: 'Requests as a table' }).locator('tbody td.number');
    expect(await cells.allTextContents()).toEqual(
      requests.data_points.map(({ total }: { total: number }) => String(total)),
    );

    for (const [title, name] of [
      ['Requests', 'requests'],
      ['Response time', 'latency'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download ${title} as CSV` }).click(),
      ]);
      const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
      const columns = head.split(',');
      const answer = await graph(name);
      expect(lines.map((line) => line.split(','))).toEqual(
        answer.data_points.map((point: Readonly<Record<string, number | null>>) => [
          new Date(Number(point.timestamp) * 1000).toISOString(),
          ...columns.slice(1).map((column) => String(point[column] ?? '')),
        ]),
      );
    }

    await page.getByRole('button', { name: 'API call for Requests' }).click();
    const call = await page.locator('code').filter({ hasText: '/analytics/graphs/requests' }).textContent();
    const address = /'([^']+)'/.exec(call ?? '')?.[1] ?? '';
    const answer = await fetch(address, { headers: { 'x-gw-api-key': adminKey } });
    expect(await answer.json()).toMatchObject({ data_points: requests.data_points });
  });

  it('keep the time and the split in the address, and zoom by dragging', async () => {
    const page = await world().open('/usage?range=7d');
    await page.locator('canvas').first().waitFor();
    await page.getByLabel('Split by').selectOption('model');
    await expect.poll(() => page.url()).toContain('split=model');
    await expect.poll(() => page.locator('.usage-legend').first().textContent(), patience).toContain('gpt-4o');
    const over = page.locator('.u-over').first();
    await over.waitFor();
    const box = await over.boundingBox();
    if (box === null) throw new Error('The chart is not shown.');
    await page.mouse.move(box.x + 20, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.url()).toMatch(/from=\d+&to=\d+|to=\d+/);
    expect(page.url()).toContain('split=model');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => page.url()).not.toContain('from=');
  });

  it('accept a time that is typed into a field key by key', async () => {
    const page = await world().open('/usage');
    const from = page.getByLabel('From', { exact: true });
    await from.focus();
    // The day equals the month, because browsers differ in their order, and the year may be the previous one.
    const [year, month] = new Date(Date.now() - 40 * 86_400_000).toISOString().split('-');
    await page.keyboard.type(`${month}${month}${year}`);
    const day = `${year}-${month}-${month}`;
    expect(await from.inputValue()).toContain(day);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('from=');
    expect(await from.inputValue()).toContain(day);
  });

  it('report that a time range is longer than the gateway allows', async () => {
    const page = await world().open('/usage');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00');
    await page.getByLabel('From', { exact: true }).blur();
    await page.getByText('Choose at most 400 days').waitFor();
    expect(page.url()).not.toContain('from=');
  });

  it('link from the overview to the failed requests', async () => {
    const page = await world().open('/overview');
    await page.getByText('Latest errors').first().waitFor();
    expect(await page.getByRole('link', { name: 'All failed requests' }).getAttribute('href')).toBe(
      '/console/live?is_success=false',
    );
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'overview');
  });
});
