import { describe, expect, it } from 'vitest';
import { adminKey, callControl, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { findUnsafe } from './support/find-unsafe.ts';
import { firstOfKind } from './support/first-of-kind.ts';
import { listPages } from './support/list-pages.ts';
import { untilLoaded } from './support/until-loaded.ts';
import { untilQuiet } from './support/until-quiet.ts';

/** Texts that a log and names may contain: scripts, characters that reverse text, control characters, and invisible marks. */
const hostile =
  '</script><img src=x onerror="window.hacked=1"><svg onload=window.hacked=1>\u202egnp.exe\u2066\u0007\u001b[31m\u200b\u0085';
/** The same without control characters, which names may not have. */
const hostileName = '"><img src=x onerror=window.hacked=1>\u202egnp\u2066\u200b';

const pages = await listPages();

interface Items {
  readonly config: string;
  readonly requests: readonly string[];
}

/** The addresses of a page: for each item that it can show, and for each of its views. */
const toAddresses = (path: string, { config, requests }: Items): readonly string[] => {
  const views: { readonly [path: string]: readonly string[] } = {
    '/requests/:id': requests.map((id) => `/requests/${id}`),
    '/usage': ['/usage?range=day', '/usage?range=day&split=metadata.team', '/usage?range=day&split=model'],
    '/plan': ['/plan?config=hostile'],
    '/configs/:slug': [`/configs/${config}`, `/configs/${config}?view=history`],
  };
  return views[path] ?? [path];
};

describe.skipIf(!hasBrowser)('hostile text in a store and a log', () => {
  const world = consoleWorld({
    upstream: (call) =>
      call.request.path.startsWith('/bad')
        ? call.json({ error: { message: hostile, code: hostile, type: hostile } }, { status: 400 })
        : call.request.path.endsWith('/models')
          ? call.json({ object: 'list', data: [{ id: hostile }] })
          : call.json(openaiAnswer({ text: hostile, model: hostile })),
    start: {
      files: {
        'gateway.json': {
          log: { bodies: true, headers: ['x-team'] },
          metadata: { team: { type: 'string' } },
        },
      },
    },
  });
  /** The ids with which pages of one item are opened. */
  let items: Promise<Items> | undefined;

  const fill = async (): Promise<Items> => {
    const { gateway, upstream } = world();
    const post = (path: string, body: object) => callControl(gateway, `POST ${path}`, { body });
    for (const slug of ['bad', 'good'])
      await control(gateway, 'POST /providers', {
        body: {
          ...{ name: hostileName, slug, note: hostileName, provider: 'openai', credential: { api_key: 'sk-1' } },
          settings: { custom_host: `${upstream.origin}/${slug}/v1` },
        },
      });
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.team': { $eq: hostile } }, then: hostile }],
        default: 'b',
      },
      targets: [
        { name: hostile, provider: '@good', override_params: { model: hostile } },
        { name: 'b', provider: '@bad' },
      ],
    };
    const checks = [{ id: 'default.contains', parameters: { words: [hostile], operator: 'none' } }];
    const made = [
      await post('/configs', { name: hostileName, slug: 'hostile', config }),
      await post('/guardrails', { name: hostileName, slug: 'hostile', checks }),
      await post('/workspaces', { name: hostileName, slug: 'hostile' }),
      await post('/api-keys', { name: hostileName, scopes: ['completions.write'] }),
      await post('/policies/usage-limits', {
        ...{ name: hostileName, type: 'cost', credit_limit: 1 },
        ...{ conditions: [{ key: 'metadata.team', value: hostile }], group_by: [{ key: 'metadata._user' }] },
      }),
      await post('/policies/rate-limits', {
        ...{ name: hostileName, type: 'requests', unit: 'rpm', value: 100 },
        ...{ conditions: [{ key: 'model', value: hostile }], group_by: [{ key: 'metadata._user' }] },
      }),
      await post('/logs', {
        request: {
          url: `https://api.test/${encodeURIComponent(hostile)}`,
          method: 'POST',
          body: { model: hostile, text: hostile },
        },
        response: { status: 200, body: { text: hostile } },
        metadata: { [hostile]: hostile, team: hostile, trace_id: hostile },
      }),
    ];
    expect(made.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(made.map(() => 200));
    for (const team of [hostile, 'other'])
      await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-gw-api-key': adminKey, 'x-gw-config': 'hostile' },
          ...{
            'x-team': Buffer.from(hostileName)
              .toString('latin1')
              .replace(/[^\x20-\x7e]/g, ''),
            'x-gw-trace-id': 't-1',
          },
          'x-gw-metadata': JSON.stringify({ team, _user: hostile }).replace(
            /[^\x20-\x7e]/g,
            (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        },
        body: JSON.stringify({ model: hostile, messages: [{ role: 'user', content: hostile }] }),
      }).then((answer) => answer.text());
    const listed = async (): Promise<readonly string[]> =>
      (JSON.parse((await callControl(gateway, 'GET /logs')).text).data as { readonly id: string }[]).map(
        ({ id }) => id,
      );
    await expect.poll(async () => (await listed()).length, patience).toBe(3);
    return { config: 'hostile', requests: await listed() };
  };

  it.each(pages.map(({ path }) => path))(
    'is shown as text by %s',
    async (path) => {
      items ??= fill();
      const addresses = toAddresses(path, await items);
      const page = await world().open(addresses[0] ?? path);
      for (const [addressAt, address] of addresses.entries()) {
        if (addressAt > 0) await world().reopen(page, address);
        await untilLoaded(page);
        expect(await findUnsafe(page), address).toEqual([]);
        // Everything that can be opened is opened in one of the views, because titles and contents of dialogs may be hostile too.
        const buttons = page.getByRole('main').getByRole('button').and(page.locator(firstOfKind));
        const count = Math.min(await buttons.count(), 25);
        for (let at = 0; at < count; at += 1) {
          if (!isSampled(addressAt, at, addresses.length)) continue;
          const button = buttons.nth(at);
          if (!(await button.isVisible().catch(() => false)) || !(await button.isEnabled().catch(() => false)))
            continue;
          await button.click({ timeout: 2000 }).catch(() => undefined);
          await untilQuiet(page);
          expect(await findUnsafe(page), `${address}, button ${at}`).toEqual([]);
          await page.keyboard.press('Escape');
        }
      }
    },
    240_000,
  );
});
