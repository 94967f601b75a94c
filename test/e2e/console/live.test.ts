import { describe, expect, it } from 'vitest';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { findAxeProblems } from './support/axe.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { holdsFocus } from './support/focus.ts';
import { hold } from './support/hold.ts';
import { takeScreenshots } from './support/screenshots.ts';

/** Texts that a log may contain: a script, a character that reverses text, a bell, and an invisible mark. */
const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202egnp.exe\u0007\u200b';

describe.skipIf(!hasBrowser)('the live page and the page of a request', () => {
  let failing = false;
  const world = consoleWorld({
    upstream: (call) =>
      failing && call.request.path.startsWith('/first')
        ? call.json({ error: { message: 'Too many requests.' } }, { status: 429 })
        : call.json(openaiAnswer({ text: 'Hello!' })),
    start: { files: { 'gateway.json': { log: { bodies: true, headers: ['x-team'] } } } },
  });

  let providers: Promise<void> | undefined;
  const makeProviders = async (): Promise<void> => {
    const { gateway, upstream } = world();
    for (const slug of ['first', 'second'])
      await control(gateway, 'POST /providers', {
        body: {
          ...{ name: slug, slug, provider: 'openai', credential: { api_key: 'sk-a-key' } },
          settings: { custom_host: `${upstream.origin}/${slug}/v1` },
        },
      });
  };

  const config = {
    strategy: { mode: 'fallback' },
    targets: [{ provider: '@first', retry: { attempts: 1, on_status_codes: [429] } }, { provider: '@second' }],
  };

  const send = async (model: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const answer = await fetch(`${world().gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-gw-api-key': adminKey },
        'x-gw-config': JSON.stringify(config),
        ...headers,
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'A question.' }] }),
    });
    await answer.text();
  };

  it('show a request as soon as it ends, with its attempts, its route and its bodies', async () => {
    providers ??= makeProviders();
    await providers;
    const { open } = world();
    const page = await open('/live');
    await page.getByText('No requests yet').waitFor();
    failing = true;
    await send('gpt-live', { 'x-gw-metadata': '{"team":"red"}', 'x-team': 'red' });
    failing = false;
    const row = page.getByRole('row').filter({ hasText: 'second' });
    await row.waitFor();
    for (let at = 0; at < 12; at += 1)
      await send(`gpt-${at % 3}`, at % 4 === 0 ? { 'x-gw-config': '{"provider":"@nobody"}' } : {});
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(14);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'live');

    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    const attempts = page.getByRole('table', { name: 'Attempts' }).getByRole('row');
    await expect.poll(() => attempts.count(), patience).toBe(4);
    expect(await attempts.allTextContents()).toEqual([
      expect.any(String),
      expect.stringContaining('429'),
      expect.stringContaining('429'),
      expect.stringContaining('200'),
    ]);
    expect(await page.getByText(/fell back from branch 1 to 2 after 429/).count()).toBe(1);
    expect(await page.getByText('A question.').count()).toBe(1);
    expect(await page.getByText(/calls: \["/).textContent()).toMatch(/calls: \[.*\n\s+status: 200/s);
    const { gateway, upstream } = world();
    const calls = upstream.requests.length;
    for (const [slug, targets] of [
      ['as-it-was', config.targets],
      ['the-second-first', config.targets.toReversed()],
    ] as const)
      await control(gateway, 'POST /configs', { body: { name: slug, slug, config: { ...config, targets } } });
    await page.reload();
    await page.getByLabel('Config', { exact: true }).selectOption('as-it-was');
    await page
      .getByText(/^It would have taken the same route: .* \(429\), then .* \(429\), then .* \(200\)\.$/)
      .waitFor();
    await page.getByLabel('Config', { exact: true }).selectOption('the-second-first');
    await page.getByText(/^It went to .* \(429\), then .*, and would have gone to .* \(200\)\.$/).waitFor();
    // The target that is now first has answered, and no provider was called.
    const boxes = page.getByRole('figure', { name: /the-second-first/ }).locator('.plan-node.answered');
    await expect.poll(() => boxes.count(), patience).toBe(1);
    expect(upstream.requests.length).toBe(calls);
    expect(await findAxeProblems(page)).toEqual([]);
    await takeScreenshots(page, 'request');
  });

  it('filter by the address, so that a view is a link, and show the cause of a refusal', async () => {
    const { open } = world();
    await send('broken', { 'x-gw-config': '{"provider":"@nobody"}' });
    const page = await open('/live?is_success=false');
    const rows = page.getByRole('row').filter({ hasText: 'broken' });
    await rows.first().waitFor();
    await page.getByLabel('Model').fill('gpt-filtered');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('No requests match these filters yet').waitFor();
    expect(new URL(page.url()).searchParams.toString()).toBe('is_success=false&model=gpt-filtered');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows.first().waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Label').fill('red');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Enter a label as name=value').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByLabel('Label').fill('team=red');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => new URL(page.url()).search, patience).toBe('?metadata.team=red');
    expect(await page.getByText('Enter a label as name=value').count()).toBe(0);
    await page.goBack();
    await rows.first().waitFor();
    await rows.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'What went wrong' }).waitFor();
    expect(await page.getByText('What to do').count()).toBe(1);
    await page.goBack();
    await rows.first().waitFor();
  });

  it('filter by the name of a key, even of a revoked one, and by its id', async () => {
    const { open, gateway } = world();
    const ids: string[] = [];
    for (const name of ['Red', 'Blue', 'Blue']) {
      const { id = '', key = '' } = await control(gateway, 'POST /api-keys', {
        body: { name, kind: 'workspace-service', workspace_id: 'default', scopes: ['completions.write'] },
      });
      ids.push(id);
      await send(`by-${name}`, { 'x-gw-api-key': key, 'x-gw-config': '{"provider":"@nobody"}' });
    }
    const [red = ''] = ids;
    await control(gateway, `DELETE /api-keys/${red}`);
    const page = await open('/live');
    const ofBlue = page.getByRole('row').filter({ hasText: 'by-Blue' });
    await expect.poll(() => ofBlue.count(), patience).toBe(2);
    const search = (): string => new URL(page.url()).search;
    const field = page.getByRole('textbox', { name: 'Key', exact: true });
    const apply = async (text: string): Promise<void> => {
      await field.fill(text);
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
    };
    await page.getByText('More filters').click();
    await apply('Blue');
    await page.getByText(/^Several keys have this name\. Enter one of these: Blue \(\S+\), Blue \(\S+\)$/).waitFor();
    expect(search()).toBe('');
    await apply('Red ');
    await expect.poll(search, patience).toBe(`?key_id=${red}`);
    await page.getByRole('row').filter({ hasText: 'by-Red' }).waitFor();
    expect([await ofBlue.count(), await field.inputValue()]).toEqual([0, 'Red']);
    await apply('Green');
    await page.getByText('No key has this name').waitFor();
    await expect.poll(() => field.evaluate(holdsFocus), patience).toBe(true);
    expect(search()).toBe(`?key_id=${red}`);
    await apply(ids[1] ?? '');
    await expect.poll(search, patience).toBe(`?key_id=${ids[1]}`);
    await expect.poll(() => ofBlue.count(), patience).toBe(1);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.reload();
    await expect.poll(() => field.inputValue(), patience).toBe('Blue');
    expect(search()).toBe(`?key_id=${ids[1]}`);
    expect(await findAxeProblems(page)).toEqual([]);
  });

  it('keep the last filters if the name of a key is found later', async () => {
    const { open, gateway } = world();
    const { id = '' } = await control(gateway, 'POST /api-keys', { body: { name: 'Slow', scopes: [] } });
    const page = await open('/live?model=none');
    const search = (): string => new URL(page.url()).search;
    const field = page.getByRole('textbox', { name: 'Key', exact: true });
    const apply = async (text: string): Promise<void> => {
      await field.fill(text);
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
    };
    await page.getByText('More filters').click();
    for (const overtake of [
      () => apply(id),
      () => page.getByRole('button', { name: 'Clear filters', exact: true }).click(),
      () => page.goBack(),
    ]) {
      const { asked, letGo } = await hold(page, '**/v1/api-keys?search=*');
      if (!(await field.isVisible())) await page.getByText('More filters').click();
      await apply('No such key');
      await asked;
      const before = search();
      await overtake();
      await expect.poll(search, patience).not.toBe(before);
      const after = search();
      const answered = page.waitForResponse('**/v1/api-keys?search=*');
      letGo();
      await answered;
      await page.unroute('**/v1/api-keys?search=*');
      await page.getByRole('heading', { name: 'Live', exact: true }).click();
      expect(search()).toBe(after);
      expect(await page.getByText('No key has this name').count()).toBe(0);
    }
  });

  it('filter by the number of attempts, and by whether a request fell back', async () => {
    providers ??= makeProviders();
    await providers;
    const { open } = world();
    const page = await open('/live?metadata.part=rescued');
    await page.getByText('No requests match these filters yet').waitFor();
    const label = { 'x-gw-metadata': '{"part":"rescued"}' };
    failing = true;
    await send('gpt-rescued', label);
    failing = false;
    await send('gpt-rescued', { ...label, 'x-gw-config': JSON.stringify({ provider: '@second' }) });
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count(), patience).toBe(3);
    await page.getByLabel('Min. attempts').fill('2');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => rows.count(), patience).toBe(2);
    await page.getByLabel('Min. attempts').fill('');
    await page.getByLabel('Fallback').selectOption('Not used');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('fell_back')).toBe('false');
    await expect.poll(() => rows.count(), patience).toBe(2);
    expect(new URL(page.url()).searchParams.toString()).toBe('metadata.part=rescued&fell_back=false');
    await page.getByLabel('Fallback').selectOption('Used');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('fell_back')).toBe('true');
    await rows.nth(1).getByRole('cell', { name: '3', exact: true }).waitFor();
    await rows.nth(1).getByRole('link').click();
    await page.getByText('with 1 retry and a fallback').waitFor();
  });

  it('hold new requests while the list is paused, and page to older ones', async () => {
    const { gateway, open } = world();
    const page = await open('/live?metadata.part=paused');
    await page.getByText('No requests match').waitFor();
    const sent = (from: number, count: number) =>
      control(gateway, 'POST /logs', {
        body: Array.from({ length: count }, (_, at) => ({
          request: { url: '/x', body: { model: `m-${from + at}` } },
          response: { body: {} },
          metadata: { part: 'paused' },
        })),
      });
    await sent(0, 30);
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(31);
    await page.getByRole('button', { name: 'Pause' }).click();
    await sent(30, 5);
    await page.getByRole('button', { name: 'Show 5 new' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(31);
    await page.getByRole('button', { name: 'Show 5 new' }).click();
    await expect.poll(() => page.getByRole('row').count(), patience).toBe(36);
    // The number of rows stays limited.
    for (let at = 0; at < 3; at += 1) await sent(100 + at * 100, 100);
    await page.getByRole('row').filter({ hasText: 'm-399' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(101);
    await page.getByRole('button', { name: 'Older requests' }).click();
    await page.getByRole('row').filter({ hasText: 'm-250' }).waitFor();
    expect(page.url()).toContain('before=');
    const list = (name: RegExp) => page.getByRole('region', { name });
    await expect.poll(() => list(/^Requests before/).evaluate(holdsFocus), patience).toBe(true);
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('row').filter({ hasText: 'm-399' }).waitFor();
    await expect.poll(() => list(/^Live/).evaluate(holdsFocus), patience).toBe(true);
  });

  it('show hostile text as text, with invisible characters as code points', async () => {
    const { gateway, open } = world();
    const page = await open('/live?source=sent');
    await control(gateway, 'POST /logs', {
      body: {
        request: {
          url: `https://api.test/${encodeURIComponent(hostile)}`,
          method: 'POST',
          body: { model: hostile, text: hostile },
        },
        response: { status: 200, body: { text: hostile } },
        metadata: { [hostile]: hostile, trace_id: hostile },
      },
    });
    const row = page.getByRole('row').filter({ hasText: '<img src=x' });
    await row.first().waitFor();
    await row.first().getByRole('link').click();
    await page.getByText('Sent in').or(page.getByText('A program reported this request')).first().waitFor();
    await page.getByText('U+202E').first().waitFor();
    expect(await page.getByText('U+0007').count()).toBeGreaterThan(0);
    expect(await page.evaluate('[window.hacked, document.querySelectorAll("main img, main script").length]')).toEqual(
      [null, 0].map((value) => value ?? undefined),
    );
    expect(await findAxeProblems(page)).toEqual([]);
  });
});
