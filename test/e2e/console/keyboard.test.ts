import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callControl, chat, control, makeKey, saveChat } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { findUnseenFocus } from './support/focus.ts';
import { keyboard } from './support/hands.ts';
import { listPages } from './support/list-pages.ts';
import { untilLoaded } from './support/until-loaded.ts';

const pages = await listPages();

/** Numbers the stops that Tab must reach: all visible controls, but of radio buttons only the selected ones. */
const numberStops = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => each.type !== 'radio' || each.checked)
  .map((each, at) => (each.setAttribute('data-stop', at), each.outerHTML.slice(0, 200)))`;

const atStop = `(async () => [Number(document.activeElement.dataset.stop ?? -1), await ${findUnseenFocus}])()`;

/** Walks through a page by Tab. Returns the stops that cannot be reached, and those that do not show the focus. */
const walk = async (page: Page): Promise<readonly string[]> => {
  const stops = await page.evaluate<readonly string[]>(numberStops);
  const missing = new Set(stops.keys());
  const unseen = new Set<string>();
  await page.evaluate('document.activeElement.blur()');
  for (let press = 0; press < 2 * stops.length + 20 && missing.size > 0; press += 1) {
    await page.keyboard.press('Tab');
    const [stop, problem] = await page.evaluate<readonly [number, string]>(atStop);
    missing.delete(stop);
    if (problem !== '') unseen.add(problem);
  }
  return [...[...missing].map((stop) => `No key leads to ${stops[stop]}`), ...unseen];
};

describe.skipIf(!hasBrowser)('the console by keyboard alone', () => {
  const world = consoleWorld();

  let seeded: Promise<string> | undefined;
  /** Saves one item of each kind and sends a request. Returns the id of its record. */
  const seed = async (): Promise<string> => {
    const { gateway, upstream } = world();
    const config = await saveChat(gateway, { upstream, slug: 'kept', credential: 'sk-kept' });
    const { key } = await makeKey(gateway, 'kept');
    await control(gateway, 'POST /policies/usage-limits', {
      body: {
        ...{ name: 'kept', type: 'cost', credit_limit: 5, conditions: [{ key: 'workspace_id', value: '*' }] },
        group_by: [{ key: 'api_key' }],
      },
    });
    await (await chat(gateway, { key, config })).text();
    const readId = async (): Promise<string> => {
      const { data } = JSON.parse((await callControl(gateway, 'GET /logs?limit=1')).text);
      return data[0]?.id ?? '';
    };
    await expect.poll(readId, patience).not.toBe('');
    return readId();
  };

  it.each(pages.map(({ title, path }) => [title, path]))(
    '%s: reaches each control by Tab, and shows where the focus is',
    async (_, path) => {
      seeded ??= seed();
      const id = await seeded;
      const page = await world().open(path.replace(':slug', 'kept').replace(':id', id));
      await untilLoaded(page);
      expect(await walk(page)).toEqual([]);
    },
  );

  it('creates a guardrail and tries it, revokes a key, and finds both in the audit log', async () => {
    const { gateway, open } = world();
    await makeKey(gateway, 'leaving');
    const page = await open('/');
    const hand = keyboard(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await hand.open('Guardrails');
    await hand.press(page.getByRole('button', { name: 'Add guardrail' }).first());
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel('Name'), 'No passwords');
    await hand.write(dialog.getByRole('combobox', { name: 'Check 1' }), 'default.contains');
    await hand.write(dialog.getByLabel('words *'), 'password');
    await hand.choose(dialog.getByLabel('operator *'), 'none');
    await hand.press(dialog.getByText('Try these checks'));
    await hand.write(dialog.getByLabel('Text', { exact: true }), 'my password');
    await hand.press(dialog.getByRole('button', { name: 'Run checks' }));
    await dialog.getByText('A request with this text would be denied.').waitFor();
    await hand.press(dialog.getByRole('button', { name: 'Save' }).first());
    await page.getByRole('button', { name: 'Edit No passwords' }).waitFor();

    await hand.open('Keys');
    await hand.press(page.getByRole('button', { name: 'Revoke leaving' }));
    await hand.press(dialog.getByRole('button', { name: 'Revoke key' }));
    await page.getByRole('row').filter({ hasText: 'leaving' }).waitFor({ state: 'detached' });

    await hand.open('Audit');
    await hand.choose(page.getByLabel('Action'), 'Delete');
    await page.getByRole('row').filter({ hasText: '/v1/api-keys' }).first().waitFor();
    await hand.choose(page.getByLabel('Action'), 'Create');
    await page.getByRole('row').filter({ hasText: '/v1/guardrails' }).first().waitFor();
  });
});
