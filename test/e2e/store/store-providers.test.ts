import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const adminKey = 'a-key-of-my-own-with-40-characters-in-it';

const upstream = async (): Promise<TestUpstream> => {
  const server = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  onTestFinished(() => server.close());
  return server;
};

const start = async (folder: string): Promise<GatewayProcess> => {
  const gateway = await startGateway({
    args: ['--store', 'gateway.db', '--config', 'gateway.json'],
    files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'] } },
    env: { GW_ADMIN_KEY: adminKey },
    folder,
  });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const asker =
  ({ baseUrl }: GatewayProcess) =>
  async (method: string, path: string, json?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-gw-api-key': adminKey, 'content-type': 'application/json', ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: await answer.json() };
  };

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello!' }] });

const keys = ({ requests }: TestUpstream) => requests.map((request) => request.header('authorization'));

it('a saved provider serves requests immediately, with its credential and models, and also after a restart', async () => {
  const folder = temporaryFolder();
  const ours = await upstream();
  const first = await start(folder);
  const ask = asker(first);
  const settings = { custom_host: `${ours.origin}/v1` };
  const integration = {
    name: 'Shared',
    slug: 'shared',
    provider: 'openai',
    key: 'sk-shared-1',
    settings,
    models: [{ slug: 'gpt-5', enabled: true }],
  };
  expect((await ask('POST', '/integrations', integration)).status).toBe(200);
  expect((await ask('POST', '/providers', { name: 'A', slug: 'a', integration_id: 'shared' })).status).toBe(200);
  const virtual = { name: 'V', slug: 'v', provider: 'openai', key: 'sk-virtual', settings };
  expect((await ask('POST', '/virtual-keys', virtual)).status).toBe(200);

  expect((await ask('POST', '/chat/completions', chat('@a/gpt-5'))).status).toBe(200);
  expect((await ask('POST', '/chat/completions', chat('gpt-5'), { 'x-gw-virtual-key': 'v' })).status).toBe(200);
  expect(await ask('POST', '/chat/completions', chat('@a/gpt-4'))).toMatchObject({
    status: 403,
    body: { error: { code: 'model-not-allowed' } },
  });
  expect((await ask('PUT', '/integrations/shared', { key: 'sk-shared-2' })).status).toBe(200);
  expect((await ask('POST', '/chat/completions', chat('@a/gpt-5'))).status).toBe(200);
  expect(keys(ours)).toEqual(['Bearer sk-shared-1', 'Bearer sk-virtual', 'Bearer sk-shared-2']);

  first.signal('SIGTERM');
  expect(await first.exited).toBe(0);
  const again = asker(await start(folder));
  expect((await again('POST', '/chat/completions', chat('@a/gpt-5'))).status).toBe(200);
  expect((await again('DELETE', '/providers/a')).status).toBe(200);
  expect((await again('POST', '/chat/completions', chat('@a/gpt-5'))).status).toBe(400);
  expect(keys(ours).slice(3)).toEqual(['Bearer sk-shared-2']);
  const stored = readFileSync(path.join(folder, 'gateway.db'), 'latin1');
  for (const secret of ['sk-shared-1', 'sk-shared-2', 'sk-virtual']) expect(stored).not.toContain(secret);
});

it('a saved config or virtual model whose provider has expired is named with it in the errors of requests that use it', async () => {
  const ours = await upstream();
  const gateway = await start(temporaryFolder());
  const ask = asker(gateway);
  const settings = { custom_host: `${ours.origin}/v1` };
  const brief = { name: 'Brief', slug: 'brief', provider: 'openai', key: 'sk-brief', settings };
  expect((await ask('POST', '/providers', brief)).status).toBe(200);
  expect((await ask('POST', '/configs', { name: 'C', slug: 'c', config: { provider: '@brief' } })).status).toBe(200);
  const whole = { provider: '@brief', override_params: { model: 'gpt-5' } };
  expect((await ask('POST', '/configs', { name: 'W', slug: 'w', config: whole })).status).toBe(200);
  const targets = { quick: 'config:w', direct: '@brief/gpt-5' };
  for (const [name, target] of Object.entries(targets))
    expect((await ask('POST', '/virtual-models', { name, target })).status).toBe(200);
  const own = { name: 'k', scopes: ['completions.write'], defaults: { config_id: 'c' } };
  const { key } = (await ask('POST', '/api-keys/workspace/service', own)).body as { readonly key: string };
  const named = () => ask('POST', '/chat/completions', chat('gpt-5'), { 'x-gw-config': 'c' });
  const byDefault = () => ask('POST', '/chat/completions', chat('gpt-5'), { 'x-gw-api-key': key });
  await expect.poll(async () => [(await named()).status, (await byDefault()).status]).toEqual([200, 200]);
  const expires_at = Math.floor(Date.now() / 1000) + 3;
  expect((await ask('PUT', '/providers/brief', { expires_at })).status).toBe(200);
  await expect.poll(async () => (await named()).status, { timeout: 20_000 }).toBe(400);
  const expired = `The saved provider "brief" expired at ${new Date(expires_at * 1000).toISOString()}.`;
  const text = `The header x-gw-config is not valid: the config "c" can no longer be used: ${expired} What it names was changed or has expired since.`;
  expect(await named()).toMatchObject({
    body: { error: { code: 'invalid-header', message: expect.stringContaining(text) } },
  });
  const body = chat('gpt-5');
  for (const refused of [
    await ask('POST', '/chat/completions', body, { 'x-gw-provider': '@brief' }),
    await ask('POST', '/chat/completions', chat('@brief/gpt-5')),
    await ask('POST', '/chat/completions', body, { 'x-gw-config': '{"provider":"@brief"}' }),
    await ask('POST', '/configs', { name: 'D', config: { provider: '@brief' } }),
    await ask('POST', '/virtual-models', { name: 'd', target: '@brief/gpt-5' }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(expired) } } });
  expect(await ask('GET', '/providers/brief')).toMatchObject({ status: 200, body: { status: 'expired' } });
  expect(await byDefault()).toMatchObject({
    status: 503,
    body: { error: { code: 'missing-key-config', message: expect.stringContaining(`at the moment: ${expired}`) } },
  });
  for (const name of Object.keys(targets))
    expect(await ask('POST', '/chat/completions', chat(name))).toMatchObject({
      status: 503,
      body: { error: { code: 'missing-model-config', message: expect.stringContaining(`at the moment: ${expired}`) } },
    });
});
