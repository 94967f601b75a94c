import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { takeScreenshots } from './support/screenshots.ts';

const routed = {
  strategy: { mode: 'fallback', on_status_codes: [429, 503] },
  targets: [
    {
      name: 'first',
      provider: 'openai',
      api_key: 'sk-one',
      override_params: { model: 'gpt-5' },
      retry: { attempts: 2 },
    },
    { name: 'second', provider: 'anthropic', api_key: 'sk-two', override_params: { model: 'claude-sonnet-4-5' } },
  ],
};

const editor = (page: Page) => page.getByRole('textbox', { name: /as JSON$/ });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** The name of the element that has the focus, also in shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return e?.getAttribute('aria-label') ?? e?.textContent ?? ''; })()`,
  );

/** Replaces the whole text of the editor by keyboard. */
const write = async (page: Page, text: string): Promise<void> => {
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};

const saveReviewed = async (page: Page): Promise<void> => {
  await button(page, 'Review and save…').click();
  await button(page, 'Save and put in service').click();
  await page.getByText('The new version is in service.').first().waitFor();
};

describe.skipIf(!hasBrowser)('the pages of configs', () => {
  const world = consoleWorld();

  const saveConfig = async (slug: string, config: object = routed): Promise<void> => {
    await control(world().gateway, 'POST /configs', { body: { name: slug, slug, config } });
  };

  const readingKey = async (): Promise<string> => {
    const { key = '' } = await control(world().gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'reader', scopes: ['configs.list', 'configs.read'], workspace_id: 'default' },
    });
    return key;
  };

  const textOf = async (slug: string): Promise<string> =>
    (await callControl(world().gateway, `GET /configs/${slug}`)).text;

  it('fix a mistake with a quick fix, and save, change, compare and roll back the config', async () => {
    const page = await world().open('/configs');
    await page.getByRole('link', { name: 'New config' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Chat');
    await page.getByRole('textbox', { name: 'Slug' }).fill('chat');
    await write(page, '{ "provider": "opnai", "api_key": "sk-typed-once" }');
    const findings = page.getByRole('list', { name: 'Findings' });
    await findings.getByText('There is no provider "opnai".').waitFor();
    expect(await button(page, 'Save').isEnabled()).toBe(false);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'new-config');
    await button(page, 'Change to "openai"').click();
    await page.getByText('No problems found.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('chat, version 1 in service').waitFor();
    expect(await textOf('chat')).not.toContain('sk-typed-once');

    await write(
      page,
      '{ "provider": "openai", "api_key": "gw-sealed:/api_key", "retry": { "attempts": 3, "on_status_codes": [429] } }',
    );
    await page.getByText('No problems found.').waitFor();
    await page.getByRole('tab', { name: 'Difference' }).click();
    await page.getByText('Some requests are handled differently:').waitFor();
    await button(page, 'Review and save…').click();
    expect(await page.getByRole('dialog').getByText(/retr/).first().innerText()).toContain('429');
    await button(page, 'Save and put in service').click();
    await page.getByText('chat, version 2 in service').waitFor();

    await page.getByRole('tab', { name: 'History' }).click();
    await button(page, 'Changes of version 2').click();
    await page.getByRole('heading', { name: 'From version 1 to version 2' }).waitFor();
    await page.getByText(/retr/).first().waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'config-history');
    await button(page, 'Restore version 1').click();
    await page.getByRole('dialog').getByText('Some requests are handled differently:').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('chat, version 3 in service').waitFor();
    expect(await textOf('chat')).not.toContain('retry');
  });

  it('draw the plan, lead from a node to its line, and save the picture as a file', async () => {
    await saveConfig('drawn');
    const page = await world().open('/configs/drawn');
    const node = page.getByRole('button', { name: /^second, anthropic/ });
    await node.waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'config');
    await page.getByRole('button', { name: /^fallback/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('with api_key given in the config').waitFor();
    await button(page, /^Go to line/).click();
    expect(await focused(page)).toMatch(/as JSON$/);
    await page.getByRole('radio', { name: 'List', exact: true }).check();
    await page
      .getByRole('listitem')
      .getByRole('button', { name: /^first, openai/ })
      .waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await button(page, 'Save as SVG').click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('drawn.svg');
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<svg [\s\S]*second/);
  });

  it('complete members during typing', async () => {
    await saveConfig('written', { provider: 'echo' });
    const page = await world().open('/configs/written');
    await page.getByText('No problems found.').waitFor();
    await write(page, '{ "provider": "echo", "re');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: /retry/ }).waitFor();
  });

  it.each(['by signing out', 'by itself'])('forget unsaved changes when the session ends: %s', async (how) => {
    const slug = how.replaceAll(' ', '-');
    await saveConfig(slug, { provider: 'echo' });
    const page = await world().open(`/configs/${slug}`);
    await page.getByText('No problems found.').waitFor();
    await write(page, '{ "provider": "echo", "request_timeout": 4321 }');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    const kept = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
    await expect.poll(kept, patience).toContain('4321');
    await page.evaluate('sessionStorage.setItem("of another page", "stays")');
    if (how === 'by signing out') await button(page, 'Sign out').click();
    else {
      await page.context().clearCookies();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByText('Your session has ended').waitFor();
    }
    await page.getByLabel('Key', { exact: true }).waitFor();
    await expect.poll(kept, patience).not.toContain('4321');
    expect(await kept()).toContain('stays');
  });

  it('keep unsaved changes over a reload, and show both texts if somebody else has saved first', async () => {
    await saveConfig('raced', { provider: 'echo' });
    const page = await world().open('/configs/raced');
    await page.getByText('No problems found.').waitFor();
    await write(page, '{ "provider": "echo", "request_timeout": 7000 }');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByText('Unsaved changes from an earlier visit were restored.').waitFor();
    await page.getByText('No problems found.').waitFor();
    await control(world().gateway, 'PUT /configs/raced', {
      body: { config: { provider: 'echo', request_timeout: 9 } },
    });
    await button(page, 'Review and save…').click();
    await button(page, 'Save and put in service').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Version 2 was saved in the meantime').waitFor();
    expect(await dialog.getByRole('heading', { name: 'Version 2, in service' }).count()).toBe(1);
    expect(await dialog.innerText()).toContain('7000');
    expect(await findAxeProblems(page)).toEqual([]);
    await button(page, 'Keep mine').click();
    await page.getByText('No problems found.').waitFor();
    await saveReviewed(page);
    expect(await textOf('raced')).toContain('7000');
    await page.getByText('raced, version 3 in service').waitFor();
  });

  it('show a config without changing it if the key may only read', async () => {
    await saveConfig('read');
    const page = await world().open('/configs/read', { key: await readingKey() });
    await page.getByText('Your key can view this config but not change it.', { exact: false }).waitFor();
    await page.getByRole('button', { name: /^first, openai/ }).waitFor();
    // The key may not send the text to the gateway, so the page does not wait for an answer.
    await page.getByText('No problems found.').waitFor();
    expect(await page.getByRole('tab', { name: 'Difference' }).count()).toBe(0);
    expect(await button(page, 'Review and save…').count()).toBe(0);
    await editor(page).focus();
    await page.keyboard.insertText('nothing');
    expect(await page.getByText('Unsaved changes', { exact: true }).count()).toBe(0);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('row').filter({ hasText: 'in service' }).waitFor();
    expect(await button(page, /^Restore/).count()).toBe(0);
  });

  it("show the traffic of a plan's targets in the last hour", async () => {
    const { gateway, upstream } = world();
    const custom_host = `${upstream.origin}/v1`;
    await saveConfig('busy', {
      strategy: { mode: 'loadbalance' },
      targets: [
        { name: 'left', provider: 'openai', api_key: 'k', custom_host, override_params: { model: 'gpt-5' } },
        { name: 'none', weight: 0, provider: 'openai', api_key: 'k', custom_host, override_params: { model: 'gpt-5' } },
      ],
    });
    for (let sent = 0; sent < 3; sent += 1) {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'x-gw-api-key': adminKey, 'x-gw-config': 'busy', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(answer.status).toBe(200);
      await answer.text();
    }
    const page = await world().open('/plan?config=busy');
    const cell = page.getByRole('row').filter({ hasText: 'left' });
    await page.getByRole('button', { name: /^left, openai/ }).waitFor();
    for (; (await cell.count()) === 0; ) {
      await button(page, 'Refresh').click();
      await page
        .getByText(/requests of the last hour|No request ended at a target/)
        .first()
        .waitFor();
    }
    await page.getByRole('button', { name: /^left, openai.*100%, 0% errors, p95/ }).waitFor();
    await page.getByText(/at most \$/).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'plan');
  });

  it('show the open circuits of a plan, in its picture and in the overview', async () => {
    const { gateway, open } = world();
    // Nobody listens there.
    const custom_host = `http://127.0.0.1:${await freePort()}/v1`;
    const cb_config = { failure_threshold: 1, cooldown_interval: 600_000 };
    await saveConfig('broken', {
      strategy: { mode: 'fallback' },
      targets: [{ name: 'gone', provider: 'openai', api_key: 'k', custom_host, cb_config }, { provider: 'echo' }],
    });
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'x-gw-api-key': adminKey, 'x-gw-config': 'broken', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
    const page = await open('/plan?config=broken');
    await page.getByRole('button', { name: /^gone, openai.*circuit open, 1 failure, network/ }).waitFor();
    const row = page.getByRole('table', { name: 'Circuits' }).getByRole('row').filter({ hasText: 'gone' });
    expect(await row.textContent()).toMatch(/gone.*open.*1.*network/);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.goto(page.url().replace(/\/plan.*/, '/overview'));
    await page.getByRole('table', { name: 'Circuits' }).getByRole('link', { name: 'broken' }).click();
    await page.getByRole('figure', { name: /broken/ }).waitFor();
  });

  it('report that nothing is checked if the key may only read and the compiler cannot be loaded', async () => {
    await saveConfig('not-checked', { provider: 'echo' });
    const page = await world().open('/configs', { key: await readingKey() });
    await page.route('**/config-facts*', (route) =>
      route.fulfill({ status: 403, json: { error: { message: 'No.' } } }),
    );
    await page.getByRole('link', { name: 'not-checked' }).first().click();
    await page.getByText('so the text is not checked').waitFor();
  });

  it('can be used by keyboard alone', async () => {
    await saveConfig('typed', { provider: 'echo' });
    const page = await world().open('/configs/typed');
    await page.getByText('No problems found.').waitFor();
    const focusOn = async (name: RegExp): Promise<void> => {
      for (let tabs = 0; tabs < 80; tabs += 1) {
        await page.keyboard.press('Tab');
        const at = await focused(page);
        if (name.test(at)) return;
      }
      throw new Error(`Tab reaches nothing that is called ${name}.`);
    };
    await focusOn(/as JSON$/);
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{ "provider": "ecko" }');
    await page.getByRole('list', { name: 'Findings' }).getByText('There is no provider', { exact: false }).waitFor();
    await button(page, 'Change to "echo"').waitFor();
    await focusOn(/^Change to "echo"$/);
    await page.keyboard.press('Enter');
    await page.getByText('No problems found.').waitFor();
    await focusOn(/^History|^Edit$/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row').filter({ hasText: 'in service' }).waitFor();
  });
});
