import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazyBuiltinPlugins } from '../../../plugins/lazy-builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

/** Providers whose service accepts requests with or without a credential: local servers, and everything that follows OpenAI. */
const keyless = [...new Set(buildCatalogue(lazyBuiltinPlugins).providers.values())].filter(
  ({ credential }) => credential === 'optional',
);
const rows = keyless.map((provider) => [provider.id, provider] as const);

const operators = 'sk-of-the-operator';
const clients = 'sk-of-the-client';

let upstream: TestUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  const settings = { custom_host: `${upstream.origin}/v1` };
  const files = keyless.flatMap(({ id }) => [
    [`configs/with-${id}.json`, { provider: id, api_key: '${env:GW_TEST_KEY}', ...settings }],
    [`configs/without-${id}.json`, { provider: id, ...settings }],
  ]);
  const saved = keyless.flatMap(({ id }) => [
    [`with-${id}`.replaceAll('.', '-'), { provider: id, credential: { api_key: '${env:GW_TEST_KEY}' }, settings }],
    [`without-${id}`.replaceAll('.', '-'), { provider: id, settings }],
  ]);
  gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', providers: Object.fromEntries(saved) },
      ...Object.fromEntries(files),
    },
    env: { GW_TEST_KEY: operators },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** The keys of the two that the provider received, in any header. */
const sentKey = async (speaksChat: boolean, headers: Record<string, string>): Promise<string> => {
  const before = upstream.requests.length;
  const answer = await fetch(
    `${gateway.baseUrl}/${speaksChat ? 'chat/completions' : 'aliases'}`,
    speaksChat
      ? {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
        }
      : { headers },
  );
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  const [request, ...more] = upstream.requests.slice(before);
  expect(more).toEqual([]);
  const text = JSON.stringify(request?.rawHeaders);
  return [operators, clients].filter((key) => text.includes(key)).join();
};

describe.each(rows)('a target of %s with a host', (id, { speaks }) => {
  const chats = Object.hasOwn(speaks, 'chat');
  const slug = (how: string): string => `@${how}-${id.replaceAll('.', '-')}`;
  const client = { authorization: `Bearer ${clients}` };
  const host = (): string => `${upstream.origin}/v1`;

  it("receives the target's own key, and no other", async () => {
    expect(await sentKey(chats, { 'x-gw-config': `with-${id}`, ...client })).toBe(operators);
    expect(await sentKey(chats, { 'x-gw-provider': slug('with'), ...client })).toBe(operators);
    const own = JSON.stringify({ provider: id, api_key: clients, custom_host: host() });
    expect(await sentKey(chats, { 'x-gw-config': own })).toBe(clients);
  });

  // Each target has its own credential. What a client sends is for the gateway, or for a provider that the client names itself.
  it('is called without a key if it has none, even if the client sends one for something else', async () => {
    expect(await sentKey(chats, { 'x-gw-config': `without-${id}`, ...client })).toBe('');
    expect(await sentKey(chats, { 'x-gw-provider': slug('without'), ...client })).toBe('');
    const own = JSON.stringify({ provider: id, custom_host: host() });
    expect(await sentKey(chats, { 'x-gw-config': own, ...client })).toBe('');
  });

  it('receives the key of a client that names the provider and the host itself, if there is one', async () => {
    const named = { 'x-gw-provider': id, 'x-gw-custom-host': host() };
    expect(await sentKey(chats, { ...named, ...client })).toBe(clients);
    expect(await sentKey(chats, named)).toBe('');
  });
});
