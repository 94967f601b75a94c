import { describe, expect, it } from 'vitest';
import { control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { enoughOfDay } from '../../support/run/enough-of-day.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { deployment, imported, type Made, parsed } from './support.ts';

const hosts = ['https://eu.example/v1', 'https://us.example/v1'];

const at = (index: number, more: object): object =>
  deployment('chat', { model: 'openai/gpt-5.5', api_base: hosts[index], ...more });

/** The bodies of the policies that the notes of an import create. */
const policiesOf = ({ losses }: Made): readonly Readonly<Record<string, unknown>>[] =>
  losses.flatMap(({ instead }) => {
    const [, body] = /echo '([^']*)' \| gw policies (?:usage|rate) create -/.exec(instead) ?? [];
    return body === undefined ? [] : [JSON.parse(body)];
  });

const conditionsOf = (made: Made): readonly unknown[] =>
  policiesOf(made).map(({ conditions, value }) => [conditions, value]);

const ofSaved = (slug: string): readonly object[] => [{ key: 'provider', value: `@${slug}` }];

describe('limits of deployments with the same provider and model', () => {
  it('each apply to a separate saved provider', async () => {
    const made = await imported('litellm', { model_list: [at(0, { rpm: 600 }), at(1, { rpm: 100 })] });
    expect(conditionsOf(made)).toEqual([
      [ofSaved('chat-1'), 600],
      [ofSaved('chat-2'), 100],
    ]);
    expect(new Set(policiesOf(made).map(({ name }) => name)).size).toBe(2);
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: {
        'chat-1': { provider: 'openai', credential: { api_key: '${env:KEY}' }, settings: { custom_host: hosts[0] } },
        'chat-2': { settings: { custom_host: hosts[1] } },
      },
    });
    expect(parsed(made, 'configs/chat.json')).toMatchObject({
      targets: [{ provider: '@chat-1', override_params: { model: 'gpt-5.5' } }, { provider: '@chat-2' }],
    });
  });

  it('do not affect a deployment without a limit, or one whose model no other deployment has', async () => {
    const made = await imported('litellm', {
      model_list: [
        ...[at(0, { rpm: 600 }), at(1, {})],
        deployment('other', { model: 'openai/gpt-5.4', rpm: 5 }),
        deployment('second', { model: 'openai/gpt-5.5', tpm: 9 }),
      ],
    });
    expect(conditionsOf(made)).toEqual([
      [ofSaved('chat-1'), 600],
      [
        [
          { key: 'provider', value: 'openai' },
          { key: 'model', value: 'gpt-5.4' },
        ],
        5,
      ],
      [ofSaved('second-1'), 9],
    ]);
    expect(parsed(made, 'configs/chat.json')).toMatchObject({
      targets: [{ provider: '@chat-1' }, { provider: 'openai', custom_host: hosts[1] }],
    });
    expect(parsed(made, 'configs/other.json')).toMatchObject({ provider: 'openai' });
  });

  it('are added up if the deployments become one target', async () => {
    const made = await imported('litellm', { model_list: [at(0, { rpm: 600 }), at(0, { rpm: 100 })] });
    expect(policiesOf(made).map(({ value }) => value)).toEqual([700]);
    expect(made.losses.map(({ why }) => why)).toEqual([
      expect.stringContaining('that of 2 deployments, which are one target here, is their sum.'),
    ]);
  });

  it('are not imported if one of the merged deployments has none, which a note reports', async () => {
    const made = await imported('litellm', { model_list: [at(0, { rpm: 600 }), at(0, {})] });
    expect(policiesOf(made)).toEqual([]);
    expect(made.losses.map(({ why }) => why)).toContainEqual(expect.stringMatching(/^"rpm" limits nothing: another/));
  });

  it('are added up if several keys become one saved provider for any model', async () => {
    const any = (api_key: string, rpm: number): object =>
      deployment('openai/*', { model: 'openai/*', api_key: `os.environ/${api_key}`, rpm });
    const made = await imported('litellm', { model_list: [any('ONE', 600), any('TWO', 100)] });
    expect(conditionsOf(made)).toEqual([[[{ key: 'provider', value: '@openai' }], 700]]);
  });

  it.each([
    ['each', 'two', 8, [6, 2]],
    ['the sum', 'one', 8, [8]],
  ])('let through no more requests than %s allows, over sockets', async (_what, places, most, asked) => {
    const upstreams = await Promise.all(
      asked.map(() => startUpstream(({ json }) => json(openaiAnswer({ text: 'Hi' })))),
    );
    const [first, second = first] = upstreams.map(({ origin }) => `${origin}/v1`);
    const made = await imported('litellm', {
      model_list: [at(0, { api_base: first, rpm: 6 }), at(1, { api_base: second, rpm: 2 })],
      router_settings: { num_retries: 1 },
    });
    expect(policiesOf(made)).toHaveLength(places === 'two' ? 2 : 1);
    await enoughOfDay();
    const gateway = await serveStore('gateway.db', {
      ...{ files: made.files, env: { KEY: 'sk-test' }, unset: ['GW_TRUSTED_HOSTS'] },
      args: ['--config', 'gateway.json'],
    });
    // Per day, so that no window ends while the requests are counted.
    for (const policy of policiesOf(made))
      await control(gateway, 'POST /policies/rate-limits', {
        body: { ...policy, unit: 'rpd', workspace_id: 'default' },
      });
    const { key } = await makeKey(gateway, 'client');
    const statuses: number[] = [];
    for (let request = 0; request < 10; request += 1) {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-api-key': key },
        body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await answer.text();
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array.from({ length: most }, () => 200), 429, 429]);
    expect(upstreams.map(({ requests }) => requests.length)).toEqual(asked);
    for (const upstream of upstreams) await upstream.close();
  });
});
