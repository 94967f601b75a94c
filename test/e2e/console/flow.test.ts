import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { adminKey, chat } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import type { UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld, hasPostgres } from './support/console-world.ts';
import { type Hand, keyboard, mouse } from './support/hands.ts';

const reply = { text: 'Hello from the vendor!', model: 'gpt-4o', used: { input: 2100, output: 900 } };

const vendor: UpstreamHandler = (call) => {
  if (call.request.json().stream !== true) return call.json(openaiAnswer(reply));
  const events = call.sse();
  for (const event of openaiStream(reply, { withUsage: true })) events.send(event);
  return events.end();
};

const ways = [
  { store: 'sqlite', hands: 'the keyboard alone', toHand: keyboard },
  { store: 'postgres', hands: 'the mouse', toHand: mouse },
] as const;

/** Sends a request with the config `chat` in the playground. */
const play = async (page: Page, hand: Hand): Promise<void> => {
  await hand.open('Playground');
  await hand.pick(page.getByRole('radio', { name: 'Config', exact: true }));
  const config = page.getByLabel('Config', { exact: true }).and(page.locator('select'));
  await config.waitFor();
  await hand.choose(config, 'chat');
  await hand.write(page.getByLabel('Model', { exact: true }), 'gpt-4o');
  await hand.write(page.getByLabel('User 1', { exact: true }), 'Say hello');
  await hand.press(page.getByRole('button', { name: 'Send', exact: true }));
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const writeConfig = async (page: Page, hand: Hand, config: object): Promise<void> => {
  await hand.write(page.getByRole('textbox', { name: /as JSON$/ }), JSON.stringify(config));
};

describe.skipIf(!hasBrowser).each(ways.filter(({ store }) => store === 'sqlite' || hasPostgres))(
  'the console, from signing in to rolling back, with $hands, on $store',
  ({ store, toHand }) => {
    const world = consoleWorld({ store, upstream: vendor });

    it('saves a provider, a key and a config, sends and finds a request, and explains a refusal by a budget', async () => {
      const { gateway, upstream, open } = world();
      const page = await open('/', { key: undefined });
      const hand = toHand(page);
      await hand.write(page.getByLabel('Key', { exact: true }), adminKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

      await hand.open('Providers');
      await hand.press(button(page, 'Add provider'));
      const dialog = page.getByRole('dialog');
      await hand.write(dialog.getByLabel('Service'), 'openai');
      await hand.press(button(page, 'Save'));
      await dialog.getByText('Enter a name.', { exact: true }).waitFor();
      await dialog.getByText('Enter the key. This service needs one.', { exact: true }).waitFor();
      expect(await dialog.locator('.error-text, .field-error').count()).toBe(2);
      await hand.write(dialog.getByLabel('Name'), 'Main');
      await hand.write(dialog.getByLabel('Slug'), 'Not a slug');
      await hand.write(dialog.getByLabel('api_key'), 'sk-of-the-flow');
      await hand.press(button(page, 'Save'));
      await dialog.getByText('Nothing was saved. Correct the fields that show an error.').waitFor();
      expect(await dialog.locator('.error-text, .field-error').count()).toBe(2);
      await hand.write(dialog.getByLabel('Slug'), 'main');
      await hand.press(dialog.getByText('Settings', { exact: true }));
      await hand.write(dialog.getByLabel('custom_host'), `${upstream.origin}/v1`);
      await hand.press(button(page, 'Save'));
      await page.getByRole('cell', { name: '@main' }).waitFor();

      await hand.open('Keys');
      await hand.press(button(page, 'Create key'));
      await hand.write(dialog.getByLabel('Name'), 'shop');
      await hand.press(dialog.getByRole('button', { name: 'Create key' }));
      const shown = page.getByRole('dialog', { name: 'Copy the key now' });
      const key = await shown.locator('pre').first().innerText();
      await hand.press(shown.getByRole('button', { name: 'I have copied it' }));

      await hand.open('Configs');
      await hand.press(page.getByRole('link', { name: 'New config' }).first());
      await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Chat');
      await hand.write(page.getByRole('textbox', { name: 'Slug' }), 'chat');
      await writeConfig(page, hand, { provider: '@mian' });
      await page.getByRole('list', { name: 'Findings' }).getByText('No provider is saved as "mian".').waitFor();
      expect(await button(page, 'Save').isEnabled()).toBe(false);
      await hand.press(button(page, 'Change to "@main"'));
      await page.getByText('No problems found.').waitFor();
      await hand.press(button(page, 'Save'));
      await page.getByText('chat, version 1 in service').waitFor();

      await play(page, hand);
      await page.getByText(reply.text).waitFor();
      await page.getByText('The response is complete.').waitFor();

      await hand.open('Live');
      const rows = page.getByRole('row').filter({ hasText: 'gpt-4o' });
      await expect.poll(() => rows.count(), patience).toBe(1);
      // A request that a program sends with the new key appears by itself.
      expect((await chat(gateway, { key, config: 'chat' })).status).toBe(200);
      await expect.poll(() => rows.count(), patience).toBe(2);
      await hand.press(rows.last().getByRole('link'));
      const attempts = page.getByRole('table', { name: 'Attempts' });
      await attempts.getByText('200').first().waitFor();
      await page.getByRole('heading', { name: 'Route through the plan' }).waitFor();
      expect(upstream.requests.map(({ header }) => header('authorization'))).toEqual([
        'Bearer sk-of-the-flow',
        'Bearer sk-of-the-flow',
      ]);

      await hand.open('Policies');
      await hand.press(button(page, 'Create budget'));
      await hand.write(dialog.getByLabel('Name', { exact: true }), 'A cent');
      await hand.choose(dialog.getByLabel('Count per'), 'All together');
      await hand.write(dialog.getByLabel('Budget', { exact: true }), '0.01');
      await hand.choose(dialog.getByLabel('Resets'), 'Weekly');
      await hand.press(dialog.getByRole('button', { name: 'Save' }));
      const budget = page.getByRole('article', { name: 'A cent' });
      await budget.waitFor();
      await play(page, hand);
      await page.getByText('The response is complete.').waitFor();
      await hand.open('Policies');
      await budget.getByText('Used up', { exact: true }).waitFor();
      await play(page, hand);
      const refusal = page.getByRole('alert').filter({ hasText: 'The request failed' });
      await refusal.waitFor();
      expect(await refusal.innerText()).toContain('A limit is used up.');
      await hand.press(page.getByRole('link', { name: 'Open the request in the log' }));
      await page.getByRole('heading', { name: 'What went wrong' }).waitFor();
      await page.getByText('the limit "A cent"').waitFor();
      await page.getByText('What to do').waitFor();
      expect((await chat(gateway, { key, config: 'chat' })).status).toBe(412);

      await hand.open('Configs');
      await hand.press(page.getByRole('link', { name: 'Chat' }));
      await page.getByText('No problems found.').waitFor();
      await writeConfig(page, hand, { provider: 'echo' });
      await page.getByText('No problems found.').waitFor();
      await hand.press(button(page, 'Review and save…'));
      await hand.press(button(page, 'Save and put in service'));
      await page.getByText('chat, version 2 in service').waitFor();
      await hand.pick(page.getByRole('tab', { name: 'History' }));
      await hand.press(button(page, 'Restore version 1'));
      await hand.press(dialog.getByRole('button', { name: 'Restore version 1' }));
      await page.getByText('chat, version 3 in service').waitFor();
      await hand.pick(page.getByRole('tab', { name: 'Edit', exact: true }));
      await page
        .getByRole('button', { name: /@main|openai/ })
        .first()
        .waitFor();
    });
  },
);
