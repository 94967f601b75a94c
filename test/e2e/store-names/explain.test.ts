import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type GwRun, runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { useGateway } from './support/asking.ts';

const secret = 'sk-1234567890-of-the-store';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const fallback = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });
const literal = { provider: 'openai', api_key: secret, custom_host: '' };

beforeAll(async () => {
  upstream = await startUpstream((call) =>
    call.request.path === '/judge'
      ? call.json({ verdict: true })
      : call.json({ error: { message: 'Too busy.' } }, { status: 503 }),
  );
  gateway = await startGateway({ args: ['--store', 'gateway.db'], env: { GW_ADMIN_KEY: adminKey } });
  const save = (route: string, body: object) => control(gateway, `POST ${route}`, { body });
  const settings = { custom_host: `${upstream.origin}/v1` };
  const credential = { api_key: secret };
  await save('/providers', { name: 'Main', slug: 'main', provider: 'openai', credential, settings });
  await save('/integrations', {
    ...{ name: 'Shared', slug: 'shared', provider: 'openai', credential, settings },
    models: [{ slug: 'm', enabled: true }],
  });
  await save('/providers', { name: 'Limited', slug: 'limited', integration_id: 'shared' });
  await save('/virtual-keys', { name: 'Key', slug: 'a-key', provider: 'openai', credential, settings });
  await save('/guardrails', {
    ...{ name: 'Words', slug: 'words', actions: { deny: true } },
    checks: [
      { id: 'contains', parameters: { words: ['password'], operator: 'none' } },
      {
        id: 'webhook',
        parameters: { webhookURL: `${upstream.origin}/judge`, secretHeaders: { authorization: secret } },
      },
    ],
  });
  const prompt = { string: '[{"role":"user","content":"Greet {{name}}."}]', parameters: {}, virtual_key: '@main' };
  await save('/prompts', { name: 'Greet', slug: 'greet', ...prompt, model: 'm' });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const gw = async (...argv: readonly string[]): Promise<GwRun> => {
  useGateway({ GW_URL: gateway.origin, GW_API_KEY: adminKey });
  const run = await runGw(temporaryFolder(), argv);
  expect(run.out + run.err).not.toContain(secret);
  return run;
};

const saveConfig = (slug: string, config: object) =>
  control(gateway, 'POST /configs', { body: { name: slug, slug, config } });

/** Sends a request that a config serves, and waits for its record. */
const record = async (config: string, at: GatewayProcess = gateway): Promise<string> => {
  const trace = `trace-${config}-${performance.now()}`;
  await fetch(`${at.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-gw-api-key': adminKey },
      ...{ 'x-gw-config': config, 'x-gw-trace-id': trace },
    },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }], variables: { name: 'Ada' } }),
  });
  const listed = async (): Promise<string> => {
    const answer = await fetch(`${at.baseUrl}/logs?trace_id=${trace}`, { headers: { 'x-gw-api-key': adminKey } });
    const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
    return data[0]?.id ?? '';
  };
  await expect.poll(listed).not.toBe('');
  return listed();
};

describe('gw explain NAME --log ID', () => {
  it.each([
    ['a provider', fallback({ provider: '@main' }, { provider: 'echo' })],
    ['an integration', fallback({ provider: '@limited' }, { provider: 'echo' })],
    ['a virtual key', fallback({ virtual_key: 'a-key' }, { provider: 'echo' })],
    ['a guardrail', { ...fallback({ provider: '@main' }, { provider: 'echo' }), input_guardrails: ['words'] }],
    ['a prompt', fallback({ prompt_id: 'greet' }, { provider: 'echo' })],
    ['a literal credential', fallback(literal, { provider: 'echo' })],
  ])('repeats the request with the plan that served it, for a config that names %s', async (what, config) => {
    const slug = what.replaceAll(' ', '-');
    const text = JSON.stringify(config).replace('"custom_host":""', `"custom_host":"${upstream.origin}/v1"`);
    await saveConfig(slug, JSON.parse(text));
    const id = await record(slug);
    const { code, out, err } = await gw('explain', slug, '--log', id);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(
      `Version 1 of the config "${slug}", which is in service, is the source of the plan that served the request.`,
    );
    expect(out).toContain('The trail is the one recorded on');
  });

  it('explains the version that served the request, even from the record alone', async () => {
    await saveConfig('changing', fallback({ provider: '@main' }, { provider: 'echo' }));
    const id = await record('changing');
    const update = (config: object) => control(gateway, 'PUT /configs/changing', { body: { config } });
    await update({ provider: 'echo' });
    await update({ provider: 'echo', retry: { attempts: 1 } });
    for (const argv of [
      ['--log', id],
      ['changing', '--log', id],
    ]) {
      const { code, out } = await gw('explain', ...argv);
      expect(code).toBe(0);
      expect(out).toContain(
        'Version 1 of the config "changing", of which version 3 is in service now, is the source of the plan',
      );
      expect(out).toMatch(/fell back from .* on 503\n/);
      expect(out).toContain('The trail is the one recorded on');
    }
    const { out } = await gw('explain', 'changing', '--format', 'json');
    expect(JSON.parse(out).config).toEqual({ slug: 'changing', version: 3, inService: 3 });
  });

  it('reports the error of a request that reached no plan', async () => {
    const id = await record('nowhere');
    const { code, err } = await gw('explain', '--log', id);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`The request ${id} reached no plan: it was answered with 404 "unknown-config".`),
    });
    expect(err).toContain('gw explain --code unknown-config');
    expect((await gw('explain', 'changing', '--log', id)).code).toBe(2);
  });

  it('repeats a request that its provider answered with an error, and gw logs get shows its record', async () => {
    await saveConfig('failing', { provider: '@main' });
    const id = await record('failing');
    const shown = await gw('logs', 'get', id, '--format', 'json');
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(shown.out)).toMatchObject({ status: 503, error: 'Too busy.' });
    const { code, out, err } = await gw('explain', 'failing', '--log', id);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('The trail is the one recorded on');
  });

  it('reports that a resource named by the config has changed since', async () => {
    await control(gateway, 'POST /providers', { body: { name: 'Other', slug: 'other', provider: 'echo' } });
    await saveConfig('naming', { provider: '@other', retry: { attempts: 1 } });
    const id = await record('naming');
    await control(gateway, 'PUT /providers/other', {
      body: { provider: 'openai', credential: { api_key: secret }, settings: { custom_host: `${upstream.origin}/v1` } },
    });
    const { code, out } = await gw('explain', 'naming', '--log', id);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Version 1 of the config "naming", .* today it compiles to another plan than naming@[\da-f]{12}/,
    );
  });

  it('names the config that served the request if the command names another one', async () => {
    await saveConfig('asked', { provider: 'echo', retry: { attempts: 2 } });
    await saveConfig('serving', { provider: 'echo', retry: { attempts: 3 } });
    const id = await record('serving');
    const { code, out } = await gw('explain', 'asked', '--log', id);
    expect(code).toBe(0);
    expect(out).toContain(`This request was served by the config serving: gw explain serving --log ${id}\n`);
    expect(out).not.toContain('another plan today');
  });

  it("names the gateway's file that contains the config that served the request", async () => {
    const folder = temporaryFolder({
      'gateway.json': { configs: 'configs', models: { quick: 'config:chat' } },
      'configs/chat.json': { provider: 'echo', retry: { attempts: 4 }, override_params: { model: 'm' } },
    });
    const args = ['--config', path.join(folder, 'gateway.json'), '--store', path.join(folder, 'gateway.db')];
    const own = await startGateway({ args, env: { GW_ADMIN_KEY: adminKey } });
    onTestFinished(() => own.stop());
    const body = { name: 'asked', slug: 'asked', config: { provider: 'echo' } };
    await control(own, 'POST /configs', { body });
    const id = await record('chat', own);
    const brought = await record('{"provider":"echo","retry":{"attempts":5}}', own);
    useGateway({ GW_URL: own.origin, GW_API_KEY: adminKey });
    const { out } = await runGw(folder, ['explain', 'asked', '--log', id]);
    expect(out).toContain(`This request was served by the config chat: gw explain configs/chat.json --log ${id}\n`);
    const unsaved = await runGw(folder, ['explain', '--log', id]);
    expect(unsaved).toMatchObject({ code: 2, out: '' });
    expect(unsaved.err).toContain(
      `The gateway file gateway.json has it, in its "configs" folder: gw explain configs/chat.json --log ${id}. `,
    );
    const elsewhere = await runGw(temporaryFolder(), ['explain', '--log', id]);
    expect(elsewhere.err).toContain(`gw explain chat --log ${id} --config FILE shows where. `);
    const named = await runGw(path.dirname(folder), ['explain', 'chat', '--config', path.join(folder, 'gateway.json')]);
    expect(named.err).toContain('configs/chat.json');
    expect((await runGw(folder, ['explain', 'quick'])).err).toContain(
      'The gateway file gateway.json has a virtual model of this name, which refers to the config "chat": gw explain configs/chat.json. ',
    );
    expect((await runGw(folder, ['explain', 'asked', '--log', brought])).out).toContain(
      'write what the request named or included into a file, and name it: gw explain FILE --log',
    );
  });
});

describe('gw explain of a name that is not in the store', () => {
  it('suggests the nearest name', async () => {
    await saveConfig('support', { provider: 'echo' });
    expect(await gw('explain', 'suport')).toMatchObject({
      code: 2,
      err: `gw: There is no config "suport" in the store of ${gateway.origin}. Did you mean "support"?\n`,
    });
  });

  it('reports that a record names no config', async () => {
    const id = await record('{"provider":"echo"}');
    const { code, err } = await gw('explain', '--log', id);
    expect(code).toBe(2);
    expect(err).toContain('as a file: gw explain FILE.');
  });

  it('prefers a file with that name, and looks up the names in it', async () => {
    await saveConfig('both', { provider: 'echo' });
    const id = await record('both');
    useGateway({ GW_URL: gateway.origin, GW_API_KEY: adminKey });
    const folder = temporaryFolder({ both: { provider: '@main' } });
    const { code, out } = await runGw(folder, ['explain', 'both', '--log', id]);
    expect(code).toBe(0);
    expect(out).toContain('@main (openai)');
    expect(out).not.toContain('Version 1');
  });

  it('requires FILE, NAME or --log', async () => {
    expect(await gw('explain')).toMatchObject({
      code: 2,
      err: expect.stringContaining('FILE, NAME, --log ID or --code CODE'),
    });
  });

  it('names the scope that the key lacks', async () => {
    const body = { name: 'app', scopes: ['completions.write'], workspace_id: 'default' };
    const { key = '' } = await control(gateway, 'POST /api-keys/workspace/service', { body });
    useGateway({ GW_URL: gateway.origin, GW_API_KEY: key });
    const { code, err } = await runGw(temporaryFolder(), ['explain', 'support']);
    expect(code).toBe(2);
    expect(err).toContain('does not have the scope configs.read. Use a key that has it');
  });

  it('reports that there is no such file if nothing specifies a gateway', async () => {
    useGateway({});
    const { code, err } = await runGw(temporaryFolder(), ['explain', 'support']);
    expect(code).toBe(2);
    expect(err).toContain('There is no file or folder "support".');
  });
});
