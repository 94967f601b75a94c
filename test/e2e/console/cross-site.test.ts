import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';

/** A site of somebody else: `localhost` is another site than 127.0.0.1, where the console is. It ends with the test. */
const startSite = async (html: string): Promise<string> => {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(`<!doctype html><title>Evil</title><body>${html}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
};

describe.skipIf(!hasBrowser)('in a browser that is signed in to the console', () => {
  // The key of an open page is revoked in one worker, and another may serve the page.
  const world = consoleWorld({ start: { args: ['--workers', '2'] } });

  /** A browser that is signed in to the console, with a page of another site. */
  const visit = async (html: string): Promise<Page> => {
    const { gateway, browser } = world();
    const { origin } = gateway;
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const begun = await context.request.post(`${origin}/console/session`, {
      data: { key: adminKey },
      headers: { origin, 'x-gw-console': '1' },
    });
    expect(begun.status()).toBe(200);
    const page = await context.newPage();
    await page.goto(await startSite(html));
    return page;
  };

  const names = async (): Promise<string> => (await callControl(world().gateway, 'GET /workspaces')).text;

  describe('another site', () => {
    it('cannot change anything by requests or forms, and cannot read anything', async () => {
      const { origin } = world().gateway;
      const form = (type: string, action: string) =>
        `<form method="post" enctype="${type}" action="${origin}${action}" target="sink"><input name='{"name":"Forged","slug":"forged","x":"' value='"}'></form>`;
      const page = await visit(
        `<iframe name="sink"></iframe>${['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
          .flatMap((type) => [form(type, '/v1/workspaces'), form(type, '/console/session')])
          .join('')}`,
      );
      await page.evaluate('for (const form of document.forms) form.submit()');
      const answers = await page.evaluate<readonly string[]>(`(async () => {
      const all = [];
      for (const [method, path, headers, mode] of ${JSON.stringify([
        ['GET', '/v1/workspaces', {}, 'cors'],
        ['GET', '/v1/logs/events', {}, 'cors'],
        ['GET', '/console/session', {}, 'cors'],
        ['POST', '/v1/workspaces', { 'content-type': 'text/plain' }, 'no-cors'],
        ['POST', '/v1/workspaces', { 'content-type': 'application/json', 'x-gw-console': '1' }, 'cors'],
        ['DELETE', '/console/session', { 'x-gw-console': '1' }, 'cors'],
        ['POST', '/console/playground?path=%2Fv1%2Fchat%2Fcompletions', { 'content-type': 'text/plain' }, 'no-cors'],
      ])}) {
        const body = method === 'POST' ? '{"name":"Forged","slug":"forged"}' : undefined;
        await fetch(${JSON.stringify(origin)} + path, { method, headers, body, mode, credentials: 'include' }).then(
          async (answer) => all.push(method + ' ' + path + ' ' + answer.type + ' ' + (await answer.text()).length),
          () => all.push('refused'),
        );
      }
      return all;
    })()`);
      expect(answers.filter((each) => each !== 'refused' && !/ opaque 0$/.test(each))).toEqual([]);
      expect(await names()).not.toContain('forged');
      // The session continues, and is still the first one.
      await page.goto(`${origin}/console/audit`);
      await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    });

    it('cannot frame a page, and cannot control a window that it opens', async () => {
      const { origin } = world().gateway;
      const page = await visit(
        `<iframe src="${origin}/console/keys"></iframe><button onclick="window.opened = window.open('${origin}/console/keys')">Open</button>`,
      );
      await page.waitForLoadState('networkidle');
      for (const frame of page.frames().slice(1)) expect(await frame.locator('#app').count()).toBe(0);
      const [opened] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button').click()]);
      await opened.waitForLoadState();
      await expect.poll(() => page.evaluate('window.opened.closed'), patience).toBe(true);
      expect(await opened.evaluate('window.opener')).toBe(null);
    });

    it('can link only to the console, which leads nowhere else, whatever the address contains', async () => {
      const { open, reopen, gateway } = world();
      const page = await open('/no-such-page', { key: undefined });
      for (const address of [
        '//evil',
        '/%2f%2fevil',
        '/https://evil/',
        '/\\evil',
        '/audit?return=https://evil.example&next=//evil.example&redirect=javascript:alert(1)#https://evil.example',
      ]) {
        await page.context().clearCookies();
        await reopen(page, address);
        await page.getByLabel('Key', { exact: true }).fill(adminKey);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(new URL(page.url()).origin).toBe(gateway.origin);
        for (const link of await page.getByRole('link').all())
          expect(await link.evaluate((element) => String(Object(element).href))).toMatch(
            new RegExp(`^${gateway.origin}/console`),
          );
      }
    });
  });

  it('an open page asks for a key by itself once the key of its session is revoked', async () => {
    const { gateway, open } = world();
    const { id, key } = await control(gateway, 'POST /api-keys', {
      body: { name: 'follows', scopes: ['logs.list'], workspace_id: 'default' },
    });
    const page = await open('/live', { key });
    await page.getByText('No requests yet').waitFor();
    await control(gateway, `DELETE /api-keys/${id}`);
    await page.getByText('Your session has ended').waitFor();
  });
});
