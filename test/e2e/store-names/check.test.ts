import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../../plugins/control/cli/support/api-server.ts';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { useGateway } from './support/asking.ts';

const secret = 'sk-1234567890-of-the-store';

let gateway: GatewayProcess;
let providerId = '';

const keyFor = async (...scopes: readonly string[]): Promise<string> => {
  const body = { name: scopes.join(' '), scopes, workspace_id: 'default' };
  return (await control(gateway, 'POST /api-keys/workspace/service', { body })).key ?? '';
};

beforeAll(async () => {
  gateway = await startGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  const save = (route: string, body: object) => control(gateway, `POST ${route}`, { body });
  const credential = { api_key: secret };
  const { data } = await save('/providers', { name: 'Main', slug: 'main', provider: 'openai', credential });
  providerId = data?.id ?? '';
  await save('/virtual-keys', { name: 'Key', slug: 'a-key', provider: 'anthropic', credential });
  await save('/integrations', {
    ...{ name: 'Shared', slug: 'shared', provider: 'openai', credential },
    models: [{ slug: 'gpt-5.5', enabled: true }],
  });
  await save('/providers', { name: 'Limited', slug: 'limited', integration_id: 'shared' });
  await save('/guardrails', {
    ...{ name: 'Words', slug: 'words', actions: { deny: true } },
    checks: [{ id: 'contains', parameters: { words: ['password'], operator: 'none' } }],
  });
  const prompt = { string: '[{"role":"user","content":"Greet {{name}}."}]', parameters: {}, virtual_key: '@main' };
  await save('/prompts', { name: 'Greet', slug: 'greet', ...prompt });
});
afterAll(() => gateway.stop());

const group = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });

const gw = async (
  files: Readonly<Record<string, string | object>>,
  argv: readonly string[],
  key: string = adminKey,
): Promise<GwRun> => {
  useGateway({ GW_URL: gateway.origin, GW_API_KEY: key });
  const run = await runGw(temporaryFolder(files), argv);
  expect(run.out + run.err).not.toContain(secret);
  return run;
};

const codes = ({ out }: GwRun): readonly string[] =>
  JSON.parse(out).files.flatMap((file: { readonly diagnostics: readonly { readonly code: string }[] }) =>
    file.diagnostics.map(({ code }) => code),
  );

describe('gw check of configs that name saved resources', () => {
  it('finds all of them in the store, by slugs and by ids, including the provider of a prompt', async () => {
    const everything = {
      ...group(
        { provider: '@main', override_params: { model: 'gpt-5.5' } },
        { provider: `@${providerId}`, override_params: { model: 'gpt-5.4' } },
        { provider: '@limited/gpt-5.5' },
        { virtual_key: 'a-key', override_params: { model: 'claude-sonnet-5' } },
        { prompt_id: 'greet@1', override_params: { model: 'gpt-5.5' } },
      ),
      input_guardrails: ['words'],
    };
    const { code, out } = await gw({ 'a.json': everything }, ['check', 'a.json']);
    expect({ code, out }).toEqual({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it.each([
    ['a provider', { provider: '@mian' }, 'No provider is saved as "mian"', 'Did you mean "@main"?'],
    ['a virtual key', { virtual_key: 'a-kee' }, 'There is no virtual key "a-kee"', 'Did you mean "a-key"?'],
    ['a guardrail', { provider: 'echo', input_guardrails: ['wrods'] }, 'saved as "wrods"', 'Did you mean "words"?'],
    ['a prompt', { prompt_id: 'greeet' }, 'There is no prompt "greeet"', 'Did you mean "greet"?'],
    ['a version of a prompt', { prompt_id: 'greet@7' }, 'There is no prompt "greet@7"', 'has no version "7"'],
  ])('suggests the nearest name for %s that does not exist', async (_, config, message, hint) => {
    const { code, out } = await gw({ 'a.json': config }, ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain(message);
    expect(out).toContain(hint);
  });

  it('warns of a model that the provider does not allow', async () => {
    const { code, out } = await gw({ 'a.json': { provider: '@limited/gpt-5' } }, ['check', 'a.json']);
    expect(code).toBe(0);
    expect(out).toContain('The saved provider "limited" does not allow the model "gpt-5"');
  });

  it('prefers the names of the gateway file, and does not query the store for them', async () => {
    const api = await startApi();
    useGateway({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const files = {
      'gateway.json': { providers: { main: { provider: 'echo' } } },
      'a.json': { provider: '@main', retry: { attempts: 1 } },
    };
    expect(await runGw(temporaryFolder(files), ['check', 'a.json'])).toMatchObject({ code: 0 });
    expect(api.requests).toEqual([]);
  });

  it('looks each name up once, however many configs contain it', async () => {
    const api = await startApi({ status: 404, json: { error: { message: 'No.', code: 'not-found' } } });
    useGateway({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const files = { 'a.json': { provider: '@one' }, 'b.json': { provider: '@one', retry: { attempts: 1 } } };
    expect(await runGw(temporaryFolder(files), ['check', '.'])).toMatchObject({ code: 1 });
    expect(api.requests.map(({ line }) => line)).toEqual(['GET /v1/providers/one', 'GET /v1/providers?page_size=1000']);
  });
});

describe('gw test of a config that names saved resources', () => {
  const files = {
    'configs/chat.json': group(
      { provider: '@main', override_params: { model: 'gpt-5.5' } },
      { virtual_key: 'a-key', override_params: { model: 'claude-sonnet-5' } },
    ),
    'configs/chat.route.json': {
      config: 'chat.json',
      tests: [
        {
          name: 'falls back',
          when: { 'openai#targets.0': [{ status: 500 }] },
          expect: { calls: ['openai#targets.0', 'anthropic#targets.1'], status: 200 },
        },
      ],
    },
  };

  it('runs with them, without their secrets', async () => {
    expect(await gw(files, ['test', 'configs'])).toMatchObject({ code: 0, err: '' });
  });

  it('reports missing names if nothing specifies a gateway', async () => {
    useGateway({});
    const { code, out } = await runGw(temporaryFolder(files), ['test', 'configs']);
    expect([code, out]).toEqual([1, expect.stringContaining('unknown-saved-provider')]);
  });
});

describe('gw check, if some names cannot be looked up', () => {
  const files = {
    'a.json': {
      ...group({ provider: '@main' }, { virtual_key: 'a-key' }, { prompt_id: 'greet' }),
      input_guardrails: ['words'],
    },
  };
  const unread = ['unread-name', 'unread-name', 'unread-name', 'unread-name'];

  it('names the scope that the key lacks', async () => {
    const key = await keyFor('completions.write');
    const run = await gw(files, ['check', 'a.json'], key);
    expect(run.code).toBe(1);
    for (const kind of ['providers', 'virtual_keys', 'prompts', 'guardrails'])
      expect(run.out).toContain(`does not have the scope ${kind}.read. Use a key that has it`);
    expect(codes(await gw(files, ['check', 'a.json', '--format', 'json'], key))).toEqual(unread);
  });

  it('needs only the scopes for the named resources', async () => {
    const key = await keyFor('providers.read');
    const config = { provider: '@main', retry: { attempts: 1 } };
    expect(await gw({ 'a.json': config }, ['check', 'a.json'], key)).toMatchObject({ code: 0 });
  });

  it('warns that the models of an integration were not checked', async () => {
    const run = await gw(
      { 'a.json': { provider: '@limited/gpt-5' } },
      ['check', 'a.json'],
      await keyFor('providers.read'),
    );
    expect(run.code).toBe(0);
    expect(run.out).toContain('warning[unread-name]: Not all of the saved provider "limited" could be read.');
    expect(run.out).toContain('Its allowed models were not checked.');
    expect(run.out).toContain('integrations.list');
  });

  it.each([
    ['an invalid key', { GW_API_KEY: 'gw-wrong' }, 'is not valid. It may have expired or been revoked.'],
    ['no key', {}, 'Set GW_API_KEY, or name a profile with --profile.'],
  ])('explains why with %s', async (_, variables, why) => {
    useGateway({ GW_URL: gateway.origin, ...variables });
    const { code, out } = await runGw(temporaryFolder(files), ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain(
      `error[unread-name]: The provider "main" was not checked: it could not be looked up at ${gateway.origin}`,
    );
    expect(out).toContain(why);
  });

  it('waits only once for a gateway that does not answer, and reports each name', { timeout: 60_000 }, async () => {
    const api = await startApi('never', { isControlPlane: false });
    useGateway({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const run = await runGw(temporaryFolder(files), ['check', 'a.json', '--format', 'json']);
    expect(run.code).toBe(1);
    expect(codes(run)).toEqual(unread);
    expect(run.out).toContain(`${api.url} did not answer within 10 seconds.`);
    expect(api.requests).toHaveLength(1);
  });

  it('sends no key to a server without a control plane', async () => {
    const api = await startApi({ json: { object: 'list', data: [] } }, { isControlPlane: false });
    useGateway({ GW_URL: api.url, GW_API_KEY: 'gw-test' });
    const { code, out } = await runGw(temporaryFolder(files), ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain('There is no control plane at');
    expect(api.requests.map(({ key }) => key)).toEqual([undefined]);
  });
});

it('gw check reports that a provider or virtual key has expired, however a config names it', async () => {
  const expires_at = Math.floor(Date.now() / 1000) + 4;
  const credential = { api_key: secret };
  await control(gateway, 'POST /providers', {
    body: { name: 'Brief', slug: 'brief', provider: 'openai', credential, expires_at },
  });
  await control(gateway, 'POST /virtual-keys', {
    body: { name: 'Short', slug: 'short', provider: 'openai', credential, expires_at },
  });
  const prompt = { string: '[{"role":"user","content":"Greet."}]', parameters: {}, virtual_key: '@brief' };
  await control(gateway, 'POST /prompts', { body: { name: 'Late', slug: 'late', ...prompt } });
  const check = async (config: object) => (await gw({ 'a.json': config }, ['check', 'a.json'])).out;
  const at = `expired at ${new Date(expires_at * 1000).toISOString()}.`;
  const expired = `error[unusable-provider]: The saved provider "brief" ${at}`;
  await expect.poll(() => check({ provider: '@brief' })).toContain(expired);
  expect(await check({ override_params: { model: '@brief/gpt-5' } })).toContain(expired);
  expect(await check({ virtual_key: 'short' })).toContain(`error[unusable-provider]: The virtual key "short" ${at}`);
  expect(await check({ prompt_id: 'late' })).toContain(
    `error[unusable-prompt]: The prompt "late" is sent to the saved provider "brief", which ${at}`,
  );
});

describe('without names from the store,', () => {
  it('gw check reports unknown names if nothing specifies a gateway', async () => {
    useGateway({});
    const { code, out } = await runGw(temporaryFolder({ 'a.json': { provider: '@main' } }), ['check', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain('Nothing is saved. Save it under "providers" in the gateway file');
  });

  it('a config in the folder of the gateway file is rejected, as the gateway rejects it', async () => {
    const files = { 'gateway.json': { configs: 'configs' }, 'configs/a.json': { provider: '@main' } };
    const { code, out } = await gw(files, ['check', 'configs']);
    expect(code).toBe(1);
    expect(out).toContain('error[unknown-saved-provider]: No provider is saved as "main".');
    expect(out).toContain(`It is saved in the store of ${gateway.origin}, which configs of a gateway file cannot use.`);
    const served = startGateway({ files, args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
    await expect(served).rejects.toThrow('No provider is saved as "main".');
  });

  it('gw compile creates no plan for files that name resources of a store', async () => {
    const { code, out } = await gw({ 'a.json': { provider: '@main' } }, ['compile', 'a.json', '--out', 'plans']);
    expect(code).toBe(1);
    expect(out).toContain('No provider is saved as "main".');
  });
});
