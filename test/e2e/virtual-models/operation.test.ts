import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { changingFolder } from '../../support/gateways/changing-folder.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello.' })));
});
afterAll(() => upstream.close());

const target = (model?: string): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...(model === undefined ? {} : { override_params: { model } }),
});

const branching = (): object => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'plan.model': 'main', 'params.model': { $ne: 'slow' } }, then: 'virtual' }],
    default: 'plain',
  },
  targets: [
    { name: 'virtual', ...target('of-virtual') },
    { name: 'plain', ...target('of-plain') },
  ],
});

describe('while the gateway runs,', () => {
  const ask = (origin: string, model: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  const asked = (): string => JSON.parse(upstream.requests.at(-1)?.text() ?? '').model;

  it('a virtual model follows its config, keeps the last good one, and is reported if its config is removed', async (context) => {
    const folder = changingFolder(context, {
      'gateway.json': { configs: 'configs', default_config: 'other', models: { fast: 'config:main' } },
      'configs/main.json': target('real-1'),
      'configs/other.json': target('of-other'),
    });
    await folder.serve();
    const { origin } = folder.gateway;
    const serving = async (): Promise<string> => {
      expect((await ask(origin, 'fast')).status).toBe(200);
      return asked();
    };
    expect(await serving()).toBe('real-1');
    await folder.follows(() => folder.write({ 'configs/main.json': target('real-2') }), 'main');
    expect(await serving()).toBe('real-2');

    folder.write({ 'configs/main.json': target() });
    await expect.poll(async () => (await folder.ready()).status).toBe('degraded');
    expect(folder.count('error[model-left-open]')).toBe(1);
    expect(await serving()).toBe('real-2');

    folder.remove('configs/main.json');
    await expect.poll(async () => (await folder.ready()).reason).toContain('"fast" is not served');
    const gone = await ask(origin, 'fast');
    expect([gone.status, await gone.json()]).toMatchObject([503, { error: { code: 'missing-model-config' } }]);
    expect((await ask(origin, 'gpt-4o')).status).toBe(200);
  });

  it('conditions, the log and a replay know the virtual model and the model that it stands for', async (context) => {
    const folder = changingFolder(context, {
      'gateway.json': { configs: 'configs', models: { fast: 'config:main', slow: 'config:main' } },
      'configs/main.json': branching(),
    });
    await folder.serve({ GW_LOG: 'requests' });
    const { origin } = folder.gateway;
    const rows = [
      ['fast', {}, 'of-virtual', 'main'],
      ['slow', {}, 'of-plain', 'main'],
      ['fast', { 'x-gw-config': 'main' }, 'of-plain', undefined],
    ] as const;
    for (const [model, headers, expected] of rows) {
      await (await ask(origin, model, headers)).text();
      expect(asked()).toBe(expected);
    }
    await expect.poll(() => folder.gateway.records().length).toBe(rows.length);
    for (const [index, [model, , expected, planModel]] of rows.entries()) {
      const line = folder.gateway.records()[index];
      expect(line?.planModel).toBe(planModel);
      folder.write({ 'line.json': { ...line, body: { model, messages: [{ role: 'user', content: 'Hello' }] } } });
      const { code, out } = await runGw(folder.path, ['explain', 'configs/main.json', '--request', 'line.json']);
      expect([code, out]).toEqual([0, expect.stringContaining(`attempt 1 at ${expected.slice(3)}: 200`)]);
      expect(out).toContain('The trail is the one recorded');
      expect(out).toContain('models     fast, slow');
    }
  });
});

describe('before the gateway starts,', () => {
  const providers = { main: { provider: 'echo' } };
  const files = (models: object | string, config: object = { provider: '@main', override_params: { model: 'm' } }) => ({
    'gateway.json':
      typeof models === 'string'
        ? `{ "configs": "configs", "models": ${models} }`
        : JSON.stringify({ configs: 'configs', providers, models }, null, 2),
    'configs/quick.json': config,
  });

  const long = 'x'.repeat(201);
  const wrong: readonly (readonly [string, object | string, string])[] = [
    ['a target that is neither a config nor a model', { fast: 'quick' }, 'error[wrong-model-form]'],
    ['a config target without a name', { fast: 'config:' }, 'error[wrong-model-form]'],
    ['a provider slug without a model', { fast: '@main' }, 'error[wrong-model-form]'],
    ['a provider that is not saved', { fast: '@mian/gpt-4o' }, 'Did you mean "main"?'],
    ['a provider that needs a credential', { fast: '@openai/gpt-4o' }, 'error[unsaved-provider]'],
    ['names that differ only in case', { fast: 'config:quick', Fast: 'config:quick' }, 'error[similar-model-names]'],
    [
      'names that differ only in their Unicode form',
      { 'caf\u00e9': 'config:quick', 'cafe\u0301': 'config:quick' },
      'error[similar-model-names]',
    ],
    ['an empty name', { '': 'config:quick' }, 'error[wrong-model-name]'],
    ['a name with a trailing space', { 'fast ': 'config:quick' }, 'error[wrong-model-name]'],
    ['a name with a control character', { 'fa\u0000st': 'config:quick' }, 'error[wrong-model-name]'],
    ['a name with an invisible character', { 'fa\u200bst': 'config:quick' }, 'error[wrong-model-name]'],
    ['a name that begins like a saved provider', { '@main/x': 'config:quick' }, 'error[wrong-model-name]'],
    ['a name that is too long', { [long]: 'config:quick' }, 'has 201 characters'],
    ['a duplicate name', '{ "fast": "config:quick", "fast": "config:quick" }', 'error[duplicate-key]'],
    ['a target that is not a string', { fast: { config: 'quick' } }, 'error[wrong-type]'],
    [
      'too many virtual models',
      Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`m${index}`, 'config:quick'])),
      'error[too-many-models]',
    ],
  ];

  it.each(wrong)('gw check finds %s', async (_what, models, expected) => {
    const folder = writeFolder(files(models));
    const { code, out } = await runGw(folder, ['check', 'configs']);
    expect([code, out]).toEqual([1, expect.stringContaining(expected)]);
    expect(out).toMatch(/gateway\.json:\d+:\d+/);
  });

  const refused = async (given: object, config?: object): Promise<string> => {
    const folder = writeFolder(files(given, config));
    const { code, err } = await runGw(folder, ['serve', '--config', path.join(folder, 'gateway.json'), '--port', '0']);
    expect(code).toBe(1);
    return err;
  };

  it('gw serve rejects a config that does not exist, and reports where it is named', async () => {
    const err = await refused({ fast: 'config:quik', other: 'config:quick' });
    expect(err).toContain('error[unknown-config]: The virtual model "fast" stands for the config "quik"');
    expect(err).toMatch(/gateway\.json:\d+:\d+ {2}\/models\/fast/);
    expect(err).toContain('Did you mean "quick"?');
  });

  it.each([['configs'], ['configs/other.jsonc']])(
    'gw check of %s finds each config that does not exist, and reports where it is named',
    async (checked) => {
      const folder = writeFolder({
        ...files({ fast: 'config:quik', slow: 'config:slow', named: 'config:by-name' }),
        'configs/other.jsonc': { provider: 'echo', name: 'by name' },
        // This config exists but is invalid, which is reported separately.
        'configs/slow.json': '{ "provider": ',
      });
      const { code, out } = await runGw(folder, ['check', checked]);
      expect(code).toBe(1);
      expect(out.match(/error\[unknown-config\].*\n.*\n/g)).toEqual([
        expect.stringMatching(
          /virtual model "fast" stands for the config "quik".*\n.*gateway\.json:\d+:\d+ {2}\/models\/fast\n/,
        ),
      ]);
      expect(out).toContain('Did you mean "quick"?');
    },
  );

  it('gw serve names a missing secret of the gateway file once for all configs and models that need it', async () => {
    const credential = { api_key: '${env:GW_TEST_NOT_SET}' };
    const config = { provider: '@main', override_params: { model: 'gpt-5.4' } };
    const folder = writeFolder({
      'gateway.json': {
        configs: 'configs',
        providers: { main: { provider: 'openai', credential } },
        models: { fast: '@main/gpt-5.4', slow: '@main/gpt-5.5' },
      },
      'configs/one.json': config,
      'configs/two.json': config,
    });
    const { code, err } = await runGw(folder, ['serve', '--config', path.join(folder, 'gateway.json'), '--port', '0']);
    expect([code, ...err.replaceAll(`${folder}/`, '').split('\n')]).toEqual([
      1,
      'gateway.json (/providers/main/credential/api_key, used by one.json, two.json, the model "fast", the model "slow"): The secret ${env:GW_TEST_NOT_SET} is missing. Set GW_TEST_NOT_SET in the environment of the gateway, and restart it.',
      'gw: Some plans cannot be served. Set the variables and start the gateway again.',
      '',
    ]);
  });

  it.each([
    ['${file:/no/such/key}', 'echo', 'Set the variables, write the files, and start the gateway again.'],
    ['${env:GW_TEST_NOT_SET}', 'echp', 'Correct the problems above, and start the gateway again.'],
  ])(
    'gw serve names the configs that contain %s themselves, besides %s, and the remedy',
    async (second, provider, remedy) => {
      const config = (key: string) => ({ provider: 'openai', api_key: key, override_params: { model: 'gpt-5.4' } });
      const folder = writeFolder({
        'gateway.json': { configs: 'configs' },
        'configs/one.json': config('${env:GW_TEST_NOT_SET}'),
        'configs/two.json': {
          strategy: { mode: 'fallback' },
          targets: [config('${env:GW_TEST_NOT_SET}'), config(second)],
        },
        'configs/three.json': { provider },
      });
      const { code, err } = await runGw(folder, [
        'serve',
        '--config',
        path.join(folder, 'gateway.json'),
        '--port',
        '0',
      ]);
      const printed = err.replaceAll(`${folder}/`, '');
      expect([code, printed.split('The secret ${env:GW_TEST_NOT_SET} is missing').length]).toEqual([1, 2]);
      expect(printed).toContain('configs/one.json, configs/two.json: The secret ${env:GW_TEST_NOT_SET}');
      expect(printed.includes('configs/two.json: The secret ${file:/no/such/key}')).toBe(second.startsWith('${file:'));
      expect(printed).toContain(`gw: Some plans cannot be served. ${remedy}\n`);
    },
  );

  it('gw check finds a default config that does not exist, as gw serve does', async () => {
    const gatewayFile = JSON.stringify({ configs: 'configs', default_config: 'quik' });
    const folder = writeFolder({ 'gateway.json': gatewayFile, 'configs/quick.json': { provider: 'echo' } });
    const checked = await runGw(folder, ['check', 'configs']);
    const served = await runGw(folder, ['serve', '--config', path.join(folder, 'gateway.json'), '--port', '0']);
    for (const { code, text } of [
      { code: checked.code, text: checked.out },
      { code: served.code, text: served.err },
    ]) {
      expect([code, text]).toEqual([1, expect.stringContaining('The default config "quik" does not exist.')]);
      expect(text).toMatch(/gateway\.json:\d+:\d+ {2}\/default_config/);
    }
  });

  it.each([
    ['a model', { provider: '@main' }],
    ['a provider', { retry: { attempts: 1 } }],
  ])('gw serve and gw check reject a target that sets no %s', async (what, config) => {
    expect(await refused({ fast: 'config:quick' }, config)).toContain(`this target sets no ${what.slice(2)}.`);
    const { code, out } = await runGw(writeFolder(files({ fast: 'config:quick' }, config)), ['check', 'configs']);
    expect([code, out]).toEqual([1, expect.stringContaining('error[model-left-open]')]);
  });
});
